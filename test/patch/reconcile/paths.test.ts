import { describe, expect, test } from 'vitest';
import { reconcile } from '../../../src/patch/reconcile.ts';
import { context, keyed, list, object, scalar } from '../toyShape.ts';
import { type Case, check, service, switched } from './target.ts';

describe('the path of a field', () => {
  const item = object({ n: scalar, s: service, off: switched });
  const shape = object({ items: keyed(item, 'stated'), plain: list('sequence', item), a: scalar });

  test.each<Case>(
    // biome-ignore format: a row is a case
    [
      { it: 'contains the key of an item, quoted unless it is a word',
        live: { items: [{ n: 'x', s: 1 }, { n: 'y.z', s: 1 }] }, desired: { items: [{ n: 'x' }, { n: 'y.z' }] },
        set: ['items."y.z".s'], target: { items: [{ n: 'x', s: 1 }, { n: 'y.z' }] } },
      { it: 'contains the position of an item without a key', live: { plain: [{ s: 1 }, { s: 1 }] },
        desired: { plain: [{}, {}] }, set: ['plain.1.s'], target: { plain: [{ s: 1 }, {}] } },
    ],
  )('$it', (each) => check(shape, each));

  test('each operational switch is reported once, with any other changes', () => {
    // biome-ignore format: a row is a case
    const live = {
      a: 1,
      items: [{ n: 'x', off: true }, { n: 'y', s: 1 }],
    };
    const desired = { a: 2, items: [{ n: 'x' }, { n: 'y', s: 2 }] };
    const { notes } = reconcile(shape, live, desired, { context });
    expect(notes).toEqual([expect.stringMatching(/^items\.x\.off is true: /)]);
  });
});
