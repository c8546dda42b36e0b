import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { orderSteps } from '../../../src/plan/order/orderChanges.ts';
import { runs } from '../../harness/sampled.ts';

const hard = (from: number, on: number) => ({ from, on, soft: false });
const soft = (from: number, on: number) => ({ from, on, soft: true });

describe('the order of steps', () => {
  // biome-ignore format: a row is a case
  test.each([
    { it: 'is that of the list without edges', count: 3, edges: [], order: [0, 1, 2] },
    { it: 'puts required steps first', count: 3, edges: [hard(0, 2)], order: [1, 2, 0] },
    { it: 'follows chains', count: 3, edges: [hard(0, 1), hard(1, 2)], order: [2, 1, 0] },
    { it: 'cuts a soft edge of a cycle', count: 2, edges: [hard(0, 1), soft(1, 0)], order: [1, 0] },
    { it: 'keeps soft edges outside of cycles', count: 3, edges: [soft(0, 2)], order: [1, 2, 0] },
    { it: 'is that of the list among the steps that one step releases', count: 7,
      edges: [6, 3, 5, 1, 4, 2].map((from) => hard(from, 0)), order: [0, 1, 2, 3, 4, 5, 6] },
    { it: 'ignores an edge of a step to itself', count: 1, edges: [hard(0, 0)], order: [0] },
  ])('$it', ({ count, edges, order }) => {
    expect(orderSteps(count, edges).order).toEqual(order);
  });

  test('a cycle of hard edges is returned completely', () => {
    const { cycle } = orderSteps(4, [hard(0, 1), hard(1, 2), hard(2, 1), hard(3, 0)]);
    expect(cycle).toEqual([hard(1, 2), hard(2, 1)]);
  });

  test.each([
    { it: 'are in no cycle', given: [soft(0, 1), soft(1, 0), soft(2, 3)], kept: [soft(0, 1), soft(2, 3)] },
    { it: 'lead out of one', given: [soft(0, 1), soft(1, 0), soft(1, 3)], kept: [soft(0, 1), soft(1, 3)] },
    { it: 'lead into one', given: [soft(0, 1), soft(1, 0), soft(3, 1)], kept: [soft(0, 1), soft(3, 1)] },
    { it: 'come first by their steps, at any position', given: [soft(1, 0), soft(0, 1)], kept: [soft(0, 1)] },
  ])('soft edges that $it are kept when others are cut', ({ given, kept }) => {
    expect(orderSteps(4, given).edges).toEqual(kept);
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'begins at its first step', given: [hard(1, 0), hard(0, 1)], way: [hard(0, 1), hard(1, 0)] },
      { it: 'of several is that of the first edges', given: [hard(0, 2), hard(2, 0), hard(0, 1), hard(1, 0)],
        way: [hard(0, 1), hard(1, 0)] },
      { it: 'excludes the path to it', given: [hard(0, 1), hard(1, 2), hard(2, 1), hard(2, 3), hard(3, 0)],
        way: [hard(1, 2), hard(2, 1)] },
    ],
  )('the reported cycle $it, at any position of its edges', ({ given, way }) => {
    expect(orderSteps(4, given).cycle).toEqual(way);
  });

  // The last soft edge is cut; in a cycle of more than 64 steps all of them are.
  test.each([
    [64, [soft(0, 1)]],
    [65, []],
  ])('soft edges kept in a cycle of %i steps', (size, kept) => {
    const ring = Array.from({ length: size }, (_, at) =>
      at === 0 || at === 5 ? soft(at, at + 1) : hard(at, (at + 1) % size),
    );
    expect(orderSteps(size, ring).edges.filter((each) => each.soft)).toEqual(kept);
  });

  const size = 12;
  const edge = fc.record({ from: fc.nat(size - 1), on: fc.nat(size - 1), soft: fc.boolean() });

  test('every kept edge is obeyed, every hard one is kept, and every step occurs once', () => {
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
});
