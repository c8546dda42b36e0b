import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { orderSteps } from '../../../src/plan/order/graph.ts';
import { runs } from '../../harness/sampled.ts';

const hard = (from: number, on: number) => ({ from, on, soft: false });
const soft = (from: number, on: number) => ({ from, on, soft: true });

describe('the order of steps', () => {
  test.each([
    { it: 'is that of the list where nothing waits', count: 3, edges: [], order: [0, 1, 2] },
    { it: 'puts what must be done first in front', count: 3, edges: [hard(0, 2)], order: [1, 2, 0] },
    { it: 'follows chains', count: 3, edges: [hard(0, 1), hard(1, 2)], order: [2, 1, 0] },
    { it: 'cuts a soft edge of a cycle', count: 2, edges: [hard(0, 1), soft(1, 0)], order: [1, 0] },
    { it: 'keeps soft edges outside of cycles', count: 3, edges: [soft(0, 2)], order: [1, 2, 0] },
    {
      it: 'is that of the list among all that one step lets go',
      count: 7,
      edges: [6, 3, 5, 1, 4, 2].map((from) => hard(from, 0)),
      order: [0, 1, 2, 3, 4, 5, 6],
    },
    { it: 'ignores what waits for itself', count: 1, edges: [hard(0, 0)], order: [0] },
  ])('$it', ({ count, edges, order }) => {
    expect(orderSteps(count, edges).order).toEqual(order);
  });

  test('a cycle of hard edges is handed back, all the way round', () => {
    const { cycle } = orderSteps(4, [hard(0, 1), hard(1, 2), hard(2, 1), hard(3, 0)]);
    expect(cycle).toEqual([hard(1, 2), hard(2, 1)]);
  });

  test.each([
    { it: 'are in no cycle', given: [soft(0, 1), soft(1, 0), soft(2, 3)], kept: [soft(0, 1), soft(2, 3)] },
    { it: 'lead out of one', given: [soft(0, 1), soft(1, 0), soft(1, 3)], kept: [soft(0, 1), soft(1, 3)] },
    { it: 'lead into one', given: [soft(0, 1), soft(1, 0), soft(3, 1)], kept: [soft(0, 1), soft(3, 1)] },
    { it: 'come first by their steps, wherever they stand', given: [soft(1, 0), soft(0, 1)], kept: [soft(0, 1)] },
  ])('soft edges that $it survive the cutting of others', ({ given, kept }) => {
    expect(orderSteps(4, given).edges).toEqual(kept);
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'begins at its first step', given: [hard(1, 0), hard(0, 1)], way: [hard(0, 1), hard(1, 0)] },
      { it: 'of several is that of the first edges', given: [hard(0, 2), hard(2, 0), hard(0, 1), hard(1, 0)],
        way: [hard(0, 1), hard(1, 0)] },
      { it: 'leaves out the way to it', given: [hard(0, 1), hard(1, 2), hard(2, 1), hard(2, 3), hard(3, 0)],
        way: [hard(1, 2), hard(2, 1)] },
    ],
  )('the cycle that is told $it, wherever its edges stand', ({ given, way }) => {
    expect(orderSteps(4, given).cycle).toEqual(way);
  });

  /** Two ways to cut: the last one is enough, until there are too many members to look again after each. */
  test.each([
    [64, [soft(0, 1)]],
    [65, []],
  ])('of a cycle of %i steps', (size, kept) => {
    const ring = Array.from({ length: size }, (_, at) =>
      at === 0 || at === 5 ? soft(at, at + 1) : hard(at, (at + 1) % size),
    );
    expect(orderSteps(size, ring).edges.filter((each) => each.soft)).toEqual(kept);
  });

  const size = 12;
  const edge = fc.record({ from: fc.nat(size - 1), on: fc.nat(size - 1), soft: fc.boolean() });

  test('every edge that is kept is obeyed, every hard one is kept, and every step comes once', () => {
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 40 }), (edges) => {
        const ordered = orderSteps(size, edges);
        if (ordered.cycle !== undefined) {
          expect(ordered.cycle.every((each) => !each.soft)).toBe(true);
          expect(ordered.cycle.every((each, at, all) => each.on === all[(at + 1) % all.length]?.from)).toBe(true);
          return;
        }
        expect([...ordered.order].sort((a, b) => a - b)).toEqual(Array.from({ length: size }, (_, index) => index));
        const place = new Map(ordered.order.map((step, index) => [step, index]));
        for (const { from, on } of ordered.edges) expect(place.get(on)).toBeLessThan(place.get(from) ?? -1);
        for (const each of edges) if (!each.soft && each.from !== each.on) expect(ordered.edges).toContain(each);
      }),
      { numRuns: runs(2_000) },
    );
  });

  test('cutting is not greedy: without its hard edges, what is kept cannot be given back one cut edge', () => {
    fc.assert(
      fc.property(
        fc.array(
          edge.map((each) => ({ ...each, soft: true })),
          { maxLength: 20 },
        ),
        (edges) => {
          expect(orderSteps(size, edges).cycle).toBeUndefined();
        },
      ),
    );
  });
});
