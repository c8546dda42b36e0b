import { expect, test } from 'vitest';
import {
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  listAt,
} from '../../src/base/json/json.ts';
import { applyPatch } from '../../src/patch/applyPatch.ts';
import { writePatch } from '../../src/patch/writePatch.ts';
import type { ObjectShape } from '../../src/schema/shape/shape.ts';
import { isEverySample } from '../harness/sampled.ts';
import { lawFigures } from '../laws/figures.ts';
import { context, keyed, list, object, scalar } from '../patch/toyShape.ts';

/**
 * Law 2 by brute force: every patch over the planner's alphabet (merge, `$drop`, `$replace/`, a plain list alone, and
 * `$retain/` or `$drop/` with `$patch/` of items that stay, and `$append/`) is tried on every small document.
 */
interface Cost {
  readonly leaves: number;
  readonly bytes: number;
}

function isLess(a: Cost, b: Cost): boolean {
  return a.leaves !== b.leaves ? a.leaves < b.leaves : a.bytes < b.bytes;
}

function costOf(patch: JsonObject): Cost {
  return { leaves: leavesOf(patch), bytes: Buffer.byteLength(JSON.stringify(patch)) };
}

/** The key `n` of an item of `$patch` is an address and costs nothing; each other value is one leaf. */
function leavesOf(value: JsonValue): number {
  if (isArray(value)) return value.length === 0 ? 1 : value.map(leavesOf).reduce((a, b) => a + b);
  if (!isObject(value)) return 1;
  const parts = Object.entries(value).map(([key, each]) => {
    const addresses = key.startsWith('$patch/') && isArray(each) ? each.length : 0;
    return leavesOf(each) - addresses;
  });
  return parts.length === 0 ? 1 : parts.reduce((a, b) => a + b);
}

function subsets<T>(of: readonly T[]): readonly (readonly T[])[] {
  return of.reduce<readonly (readonly T[])[]>((all, each) => all.concat(all.map((set) => [...set, each])), [[]]);
}

/** Lists of at most `length` of these, in every order; each at most once unless `repeated`. */
function lists(of: readonly JsonValue[], length: number, keyOf?: (value: JsonValue) => string): readonly JsonArray[] {
  if (length === 0) return [[]];
  return lists(of, length - 1, keyOf).flatMap((shorter) =>
    shorter.length < length - 1
      ? [shorter]
      : [
          shorter,
          ...of
            .filter((each) => keyOf === undefined || !shorter.some((other) => keyOf(other) === keyOf(each)))
            .map((each) => [...shorter, each]),
        ],
  );
}

function merge(parts: readonly (readonly JsonObject[])[]): readonly JsonObject[] {
  return parts.reduce<readonly JsonObject[]>(
    (all, choices) => all.flatMap((made) => choices.map((each) => ({ ...made, ...each }))),
    [{}],
  );
}

function listPatches(
  values: readonly JsonArray[],
  names: readonly string[],
  patches: readonly JsonArray[],
): readonly JsonObject[] {
  const nothing: JsonObject = {};
  const naming: readonly JsonObject[] = [
    nothing,
    ...subsets(names)
      .filter((set) => set.length > 0)
      .flatMap((set) => [{ '$drop/l': set }, { '$retain/l': set }]),
  ];
  const appends = values.filter((each) => each.length > 0).map((each) => ({ '$append/l': each }));
  return [
    { $drop: ['l'] },
    ...values.map((each) => ({ l: each })),
    ...values.map((each) => ({ '$replace/l': each })),
    ...merge([
      naming,
      [nothing, ...patches.filter((each) => each.length > 0).map((each) => ({ '$patch/l': each }))],
      [nothing, ...appends],
    ]),
  ];
}

/** `$patch` of a missing item would be an append in disguise. */
function isInAlphabet(live: JsonObject, patch: JsonObject): boolean {
  const keyOf = (each: JsonValue): JsonValue | undefined => (isObject(each) ? each['n'] : undefined);
  const there = new Set(listAt(live, 'l').map(keyOf));
  const dropped = new Set(listAt(patch, '$drop/l'));
  const retained = '$retain/l' in patch ? new Set(listAt(patch, '$retain/l')) : undefined;
  return listAt(patch, '$patch/l').every((each) => {
    const key = keyOf(each) ?? null;
    return there.has(key) && !dropped.has(key) && (retained === undefined || retained.has(key));
  });
}

/**
 * Compares the planner's patch with the cheapest one, from each of the documents to each other. A sample starts from
 * one in `every`, and compares with all.
 */
function compareAll(
  shape: ObjectShape,
  documents: readonly JsonObject[],
  patches: readonly JsonObject[],
  every: number,
): void {
  const costs = patches.map(costOf);
  const ids = new Map(documents.map((document, index) => [canonical(document), index]));
  let compared = 0;
  const lives = isEverySample ? documents : documents.filter((_, index) => index % every === 0);
  for (const live of lives) {
    const best = new Map<number, Cost>();
    for (const [index, patch] of patches.entries()) {
      if (!isInAlphabet(live, patch)) continue;
      const applied = applyPatch(shape, live, patch, context);
      const id = applied.ok ? ids.get(canonical(applied.record)) : undefined;
      const cost = costs[index];
      const before = id === undefined ? undefined : best.get(id);
      if (id !== undefined && cost !== undefined && (before === undefined || isLess(cost, before))) best.set(id, cost);
    }
    for (const [index, target] of documents.entries()) {
      const written = writePatch(shape, live, target, { context, directives: 'all' });
      if (written === undefined) continue;
      const found = best.get(index);
      compared += 1;
      if (found !== undefined && isLess(found, costOf(written)))
        expect({ live, target, written, ...costOf(written) }).toEqual(found);
    }
  }
  expect(compared).toBe(lives.length * (documents.length - 1));
  lawFigures({ patches: compared });
}

function canonical(value: JsonValue): string {
  if (isArray(value)) return `[${value.map(canonical)}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${key}:${canonical(value[key] ?? null)}`)}}`;
}

function withAbsent(values: readonly JsonArray[]): readonly JsonObject[] {
  return [{}, ...values.map((each) => ({ l: each }))];
}

test('no cheaper patch exists of a keyed list whose items change, appear, disappear and move (law 2)', () => {
  const items = ['x', 'y', 'z'].flatMap((n) => [{ n }, { n, v: 1 }, { n, v: 2, w: 1 }]);
  const keyOf = (each: JsonValue): string => (isObject(each) ? String(each['n']) : '');
  const values = lists(items, 2, keyOf);
  const changes: readonly JsonObject[] = [
    { v: 1 },
    { v: 2 },
    { v: 2, w: 1 },
    { v: 1, $drop: ['w'] },
    { $drop: ['v'] },
    { $drop: ['v', 'w'] },
    { $drop: ['w'] },
    { w: 1 },
  ];
  const one = ['x', 'y', 'z'].flatMap((n) => changes.map((change) => ({ n, ...change })));
  const shape = object({ l: keyed(object({ n: scalar, v: scalar, w: scalar }), 'stated') });
  const patches = listPatches(
    values,
    ['x', 'y', 'z'],
    one.map((each) => [each]),
  );
  compareAll(shape, withAbsent(values), patches, 7);
});

test('no cheaper patch exists of a keyed list of three items whose fields change (law 2)', () => {
  const items = ['x', 'y', 'z'].flatMap((n) => [{ n }, { n, v: 1 }]);
  const keyOf = (each: JsonValue): string => (isObject(each) ? String(each['n']) : '');
  const values = lists(items, 3, keyOf);
  const one = ['x', 'y', 'z'].flatMap((n) => [
    { n, v: 1 },
    { n, $drop: ['v'] },
  ]);
  const shape = object({ l: keyed(object({ n: scalar, v: scalar }), 'stated') });
  const patches = listPatches(lists(items, 2, keyOf), ['x', 'y', 'z'], lists(one, 2, keyOf));
  compareAll(shape, withAbsent(values.filter((_, index) => index % 3 === 0)), patches, 3);
});

test('no cheaper patch exists of a set of strings (law 2)', () => {
  const values = lists(['x', 'y', 'long name', 'z'], 4, String);
  const shape = object({ l: list('set', scalar) });
  const patches = listPatches(values, ['x', 'y', 'long name', 'z'], []);
  compareAll(shape, withAbsent(values), patches, 4);
});

test('no cheaper patch exists of a sequence of strings, some of them repeated (law 2)', () => {
  const values = lists(['x', 'y', 'z'], 3);
  const shape = object({ l: list('sequence', scalar) });
  const patches = listPatches(values, ['x', 'y', 'z'], []);
  compareAll(shape, withAbsent(values), patches, 1);
});

test('no cheaper patch exists of nested objects (law 2)', () => {
  const leaf = (name: string): readonly JsonObject[] => [{}, { [name]: 1 }, { [name]: 2 }];
  const inner = merge([leaf('b'), leaf('c'), leaf('d')]);
  const documents = merge([
    [{}, { a: 1 }],
    [{}, ...inner.map((o) => ({ o }))],
  ]);
  const dropping = (names: readonly string[], plain: readonly JsonObject[]): readonly JsonObject[] =>
    merge([
      plain,
      [
        {},
        ...subsets(names)
          .filter((set) => set.length > 0)
          .map(($drop) => ({ $drop })),
      ],
    ]);
  const innerPatches = dropping(['b', 'c', 'd'], inner);
  const outer = merge([
    [{}, { a: 1 }],
    [{}, ...innerPatches.map((o) => ({ o })), ...inner.map((o) => ({ '$replace/o': o }))],
  ]);
  const shape = object({ a: scalar, o: object({ b: scalar, c: scalar, d: scalar }) });
  compareAll(shape, documents, dropping(['a', 'o'], outer), 4);
});
