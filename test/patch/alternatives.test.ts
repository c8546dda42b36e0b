import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, type JsonValue, own, sameJson } from '../../src/base/json/json.ts';
import { normalise } from '../../src/kinds/normalise.ts';
import { shapeOf } from '../../src/kinds/shapeOf.ts';
import { alternatives, type Way } from '../../src/patch/alternatives.ts';
import { applyPatch } from '../../src/patch/applyPatch.ts';
import { compareCost, objectOf, writePatch } from '../../src/patch/writePatch.ts';
import { runs } from '../harness/sampled.ts';
import { context, mixed, recordsOf } from './realRecord.ts';
import { toy } from './toyShape.ts';

const all = { context, directives: 'all' } as const;
const workload = shapeOf('workload');

function container(name: string, more: JsonObject = {}): JsonObject {
  return { name, image: `${name}:1`, ...more };
}

function spec(fields: JsonObject): JsonObject {
  return { name: 'web', spec: fields };
}

function keys(way: Way): string {
  return way.entries.map(({ key }) => key).join(' + ');
}

/** The alternatives for a path, as `form leaves` texts. */
function weighed(
  live: JsonObject,
  target: JsonObject,
  path: string,
  options: { readonly directives: 'all' | 'stated' | 'replace' } = all,
) {
  const choice = alternatives(workload, live, target, { context, ...options }).find((each) => each.path === path);
  const said = (way: Way): string => `${keys(way)}: ${way.leaves}`;
  return {
    chosen: choice === undefined ? undefined : said(choice.chosen),
    rejected: choice?.rejected.map(said),
    impossible: choice?.impossible.map(({ directives, because }) => `${directives.join(' ')}: ${because}`),
  };
}

describe('the alternatives for a path', () => {
  const two = [container('a', { cpu: '1', memory: '1Gi' }), container('b')];

  test('one item changes: the patch of that item, or the whole list, but none that keeps fewer items and writes more', () => {
    const changed = [container('a', { cpu: '2', memory: '1Gi' }), container('b')];
    // Counted by hand: `cpu` is one leaf; the list has four and two.
    for (const directives of ['all', 'stated'] as const) {
      const options = { directives };
      expect(weighed(spec({ containers: two }), spec({ containers: changed }), 'spec.containers', options)).toEqual({
        chosen: '$patch/containers: 1',
        rejected: ['containers: 6'],
        impossible: [],
      });
    }
  });

  test('no item can be named if the platform does not support it', () => {
    const target = spec({ containers: [container('b')] });
    expect(weighed(spec({ containers: two }), target, 'spec.containers', { directives: 'replace' }).impossible).toEqual(
      [
        '$patch/containers $drop/containers $retain/containers $append/containers: the platform does not honour directives for the items of lists',
      ],
    );
  });

  test('one of two items is removed: its name is as short as that of the kept one, and $drop comes first', () => {
    const { chosen, rejected } = weighed(
      spec({ containers: two }),
      spec({ containers: [container('b')] }),
      'spec.containers',
    );
    expect([chosen, ...(rejected ?? [])]).toEqual(['$drop/containers: 1', '$retain/containers: 1', 'containers: 2']);
  });

  test('most items are removed: the kept one is named', () => {
    const many = ['a', 'b', 'c', 'd'].map((name) => container(name));
    const { chosen, rejected } = weighed(
      spec({ containers: many }),
      spec({ containers: [container('b')] }),
      'spec.containers',
    );
    expect(chosen).toBe('$retain/containers: 1');
    expect(rejected).toContain('$drop/containers: 3');
  });

  test('each object around the list could be replaced whole', () => {
    const live = spec({ type: 'serverless', containers: two });
    const target = spec({ type: 'standard', containers: two });
    expect(weighed(live, target, 'spec')).toEqual({
      chosen: 'spec: 1',
      rejected: ['$replace/spec: 7'],
      impossible: [],
    });
  });

  test('names that are not unique identify no item', () => {
    const twice = [container('a'), container('a', { cpu: '1' })];
    const { chosen, impossible } = weighed(spec({ containers: twice }), spec({ containers: two }), 'spec.containers');
    expect(chosen).toBe('containers: 6');
    expect(impossible).toEqual([
      '$patch/containers $drop/containers $retain/containers: the keys of the live items are not unique',
      '$append/containers: what is live is not the beginning of what is wanted',
    ]);
    expect(
      weighed(spec({ containers: two }), spec({ containers: twice }), 'spec.containers').impossible?.[0],
    ).toContain('the keys of the items wanted are not unique');
  });

  test.each([
    { it: 'live', live: [{ image: 'a:1' }, container('b')], target: two },
    { it: 'wanted', live: two, target: [{ image: 'a:1' }, container('b')] },
  ])('an item that is $it without its key cannot be named', ({ live, target }) => {
    expect(weighed(spec({ containers: live }), spec({ containers: target }), 'spec.containers').impossible?.[0]).toBe(
      '$patch/containers $drop/containers $retain/containers: an item has no key',
    );
  });

  test('a key that is only proposed is not used unless the endpoint reports support of all directives', () => {
    const volume = (path: string, recoveryPolicy: string) => ({ uri: 'scheme://volumeset/v', path, recoveryPolicy });
    const mounting = (...volumes: readonly JsonObject[]) => spec({ containers: [container('a', { volumes })] });
    const [live, target] = [
      mounting(volume('/a', 'retain'), volume('/b', 'retain')),
      mounting(volume('/a', 'recycle'), volume('/b', 'retain')),
    ];
    const path = 'spec.containers.a.volumes';
    expect(weighed(live, target, path)).toEqual({
      chosen: '$patch/volumes: 1',
      rejected: ['volumes: 6'],
      impossible: [],
    });
    expect(weighed(live, target, path, { directives: 'stated' })).toEqual({
      chosen: 'volumes: 6',
      rejected: [],
      impossible: [
        '$patch/volumes $drop/volumes $retain/volumes: the key of its items is only proposed, and the endpoint does not say that it honours all directives',
        '$append/volumes: what is live is not the beginning of what is wanted',
      ],
    });
  });

  test('items without a key can only be appended', () => {
    const live = { name: 'p', bindings: [{ permissions: ['view'], principalLinks: ['//user/a'] }] };
    const added = { ...live, bindings: [...live.bindings, { permissions: ['edit'], principalLinks: ['//user/b'] }] };
    const [choice] = alternatives(shapeOf('policy'), live, added, all);
    expect(choice).toMatchObject({
      path: 'bindings',
      impossible: [
        { directives: ['$patch/bindings', '$drop/bindings', '$retain/bindings'], because: 'its items have no key' },
      ],
    });
    expect(choice === undefined ? '' : keys(choice.chosen)).toBe('$append/bindings');
  });

  test('the first item is new: no item can keep its position', () => {
    const moved = [container('c'), ...two];
    expect(weighed(spec({ containers: two }), spec({ containers: moved }), 'spec.containers')).toEqual({
      chosen: 'containers: 8',
      rejected: [],
      impossible: [
        '$patch/containers $drop/containers $retain/containers $append/containers: no live item can keep its place, or one that stays cannot be changed by itself',
      ],
    });
  });

  test('alternatives with the same directives are one, the cheapest, and the cheapest is named first', () => {
    const items = (...names: readonly string[]) => ({ items: names.map((n) => ({ n })) });
    const [choice] = alternatives(toy, items('a', 'b', 'c', 'd', 'e', 'f'), items('a', 'b', 'g'), all);
    // Counted by hand: a and b are kept, or a alone. `"$retain/items":["a","b"],"$append/items":[{"n":"g"}]` has 53
    // bytes.
    expect(choice?.rejected.map((way) => [keys(way), way.leaves, way.bytes])).toEqual([
      ['$retain/items + $append/items', 3, 53],
      ['$drop/items + $append/items', 5, 59],
    ]);
  });

  test('as many plain values as possible are kept: keeping fewer is no alternative', () => {
    const [choice] = alternatives(toy, { set: ['a', 'b', 'c', 'd', 'e'] }, { set: ['a', 'b'] }, all);
    expect(choice?.rejected.map(keys)).toEqual(['$retain/set', '$drop/set']);
  });

  test.each([
    { it: 'new', live: {}, target: { items: [{ n: 'a' }], o: { a: 1 } } },
    { it: 'of another type: an object', live: { o: 'x' }, target: { o: { a: 1 } } },
    { it: 'of another type: no object', live: { o: { a: 1 } }, target: { o: 'x' } },
    { it: 'of another type: a list', live: { seq: 'x' }, target: { seq: ['x'] } },
    { it: 'of another type: no list', live: { seq: ['x'] }, target: { seq: 'x' } },
    { it: 'of another type: a list for an object', live: { o: { a: 1 } }, target: { o: ['x'] } },
    { it: 'free-form JSON that no merge produces', live: { free: { a: 1 } }, target: { free: { $a: 1 } } },
    { it: 'impossible with any patch', live: { m: { a: '1' } }, target: { m: { $a: '1' } } },
  ])('a field that is $it has no alternatives', ({ live, target }) => {
    expect(alternatives(toy, live, target, all)).toEqual([]);
  });
});

describe('only paths that the patch contains are explained', () => {
  const paths = (live: JsonObject, target: JsonObject) =>
    alternatives(toy, live, target, all).map(({ path, pointer }) => [path, pointer]);

  test('an object that is replaced whole is not explored', () => {
    const live = { o: { a: 1, b: 2, o: { a: 1, m: { x: 1, y: 1 } } } };
    expect(paths(live, { o: { o: { m: { x: 2 } } } })).toEqual([['o', ['o']]]);
  });

  test('of items, only those that are changed in place', () => {
    const item = (n: string, ...args: readonly string[]) => ({ n, v: 1, zz: [1, 2, 3, 4], args });
    const live = { items: [item('a', 'p', 'q'), item('b', 'p', 'q'), item('c', 'p', 'q')] };
    // Counted by hand: b keeps its position with one argument more; a is removed, and added after c with another
    // argument.
    const target = { items: [item('b', 'p', 'q', 'r'), item('c', 'p', 'q'), item('a', 'p')] };
    expect(paths(live, target)).toEqual([
      ['items', ['items']],
      ['items.b.args', ['items', 1, 'args']],
    ]);
  });

  test('a list that is written whole is not explored', () => {
    const live = { items: [{ n: 'a', args: ['p', 'q', 'r'] }] };
    expect(paths(live, { items: [{ n: 'b' }, { n: 'a', args: ['p', 'q'] }] })).toEqual([['items', ['items']]]);
  });
});

describe('laws', () => {
  const record = recordsOf('workload');
  const pair = fc
    .tuple(record, record)
    .chain(([a, b]) => fc.tuple(fc.constant(normalise('workload', a, context)), mixed(a, b).filter(isObject)))
    .map(([a, b]) => [a, normalise('workload', b, context)] as const);

  test('the chosen alternative is in the patch, and no rejected one is cheaper', () => {
    let rejected = 0;
    fc.assert(
      fc.property(pair, fc.constantFrom<'all' | 'stated'>('all', 'stated'), ([live, target], directives) => {
        const patch = writePatch(workload, live, target, { context, directives });
        const text = JSON.stringify(patch ?? {});
        for (const choice of alternatives(workload, live, target, { context, directives })) {
          for (const { key, value } of choice.chosen.entries) {
            expect(text).toContain(`${JSON.stringify(key)}:${JSON.stringify(value)}`);
          }
          for (const way of choice.rejected) {
            expect(compareCost(way, choice.chosen)).toBeGreaterThanOrEqual(0);
            rejected += 1;
          }
        }
      }),
      { numRuns: runs(150) },
    );
    expect(rejected).toBeGreaterThan(runs(100));
  });

  test('each rejected way to write `spec` would have produced the same record', () => {
    fc.assert(
      fc.property(pair, ([live, target]) => {
        const patch = writePatch(workload, live, target, all) ?? {};
        for (const choice of alternatives(workload, live, target, all)) {
          const inSpec = choice.pointer.length === 2 && choice.pointer[0] === 'spec';
          const within: JsonValue | undefined = inSpec ? own(patch, 'spec') : undefined;
          if (!isObject(within)) continue;
          const taken = new Set(choice.chosen.entries.map(({ key }) => key));
          const rest = Object.entries(within).filter(([key]) => !taken.has(key));
          for (const way of choice.rejected) {
            const other = { ...patch, spec: { ...Object.fromEntries(rest), ...objectOf(way.entries) } };
            const applied = applyPatch(workload, live, other, context);
            expect(
              applied.ok &&
                sameJson(normalise('workload', applied.record, context), normalise('workload', target, context)),
            ).toBe(true);
          }
        }
      }),
      { numRuns: runs(150) },
    );
  });
});
