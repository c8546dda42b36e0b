import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  mapMembers,
  own,
  sameJson,
} from '../../src/base/json/json.ts';
import { equalValues } from '../../src/kinds/equal.ts';
import { applyPatch } from '../../src/patch/applyPatch.ts';
import { fieldChanges } from '../../src/patch/fieldChanges.ts';
import { reconcile } from '../../src/patch/reconcile.ts';
import { bySchema } from '../../src/patch/shouldMask.ts';
import { writePatch } from '../../src/patch/writePatch.ts';
import { runs } from '../harness/sampled.ts';
import { shortened } from './shortened.ts';
import { context, object, objectsOf, toy } from './toyShape.ts';

const records = objectsOf(toy);
const declared = objectsOf(toy, false);
const directives = fc.constantFrom<'all' | 'stated'>('all', 'stated');

function applied(live: JsonObject, patch: JsonObject): JsonObject {
  const result = applyPatch(toy, live, patch, context);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.record;
}

test('a patch leads from any record exactly to any other (law 1, platform/patch.directives)', () => {
  fc.assert(
    fc.property(records, records, directives, (live, target, mode) => {
      const patch = writePatch(toy, live, target, { context, directives: mode });
      expect(patch === undefined).toBe(sameJson(live, target));
      const result = patch === undefined ? live : applied(live, patch);
      if (!sameJson(result, target)) expect(result).toEqual(target);
    }),
    { numRuns: runs(5000) },
  );
});

test('after the patch every managed field is as declared, and nothing is left to do (laws 1 and 2)', () => {
  fc.assert(
    fc.property(records, declared, (live, desired) => {
      const wanted = reconcile(toy, live, desired, { context }).target;
      const patch = writePatch(toy, live, wanted, { context, directives: 'all' });
      const result = patch === undefined ? live : applied(live, patch);
      expect(sameJson(result, wanted)).toBe(true);
      expect(equalValues(toy, result, desired, context)).toBe(true);
      expect(own(result, 'zz')).toEqual(own(live, 'zz'));
      expect(reconcile(toy, result, desired, { context }).target).toBe(result);
      expect(fieldChanges(bySchema(toy), live, wanted).length > 0).toBe(patch !== undefined);
    }),
    { numRuns: runs(3000) },
  );
});

test('a record differs from itself in nothing, and the same object is returned (law 2)', () => {
  fc.assert(
    fc.property(declared, (live) => {
      const copy: unknown = JSON.parse(JSON.stringify(live));
      expect(isObject(copy) && reconcile(toy, live, copy, { context }).target).toBe(live);
    }),
    { numRuns: runs(1500) },
  );
});

test('no entry of a patch can be spared (law 2)', () => {
  fc.assert(
    fc.property(records, records, (live, target) => {
      const patch = writePatch(toy, live, target, { context, directives: 'all' });
      for (const shorter of patch === undefined ? [] : shortened(patch)) {
        if (!isObject(shorter)) continue;
        const result = applyPatch(toy, live, shorter, context);
        if (result.ok && sameJson(result.record, target)) expect(shorter).toEqual(patch);
      }
    }),
    { numRuns: runs(1500) },
  );
});

test('inputs are not changed (platform/patch.directives)', () => {
  fc.assert(
    fc.property(records, records, (live, target) => {
      const before = JSON.stringify([live, target]);
      const patch = writePatch(toy, live, target, { context, directives: 'all' });
      if (patch !== undefined) applied(live, patch);
      reconcile(toy, live, target, { context });
      expect(JSON.stringify([live, target])).toBe(before);
    }),
    { numRuns: runs(500) },
  );
});

/** Items of the lists of objects, by path. */
function itemsIn(value: JsonValue, path = ''): readonly { readonly path: string; readonly item: JsonObject }[] {
  if (isArray(value)) return value.flatMap((item) => (isObject(item) ? [{ path, item }, ...itemsIn(item, path)] : []));
  return isObject(value) ? Object.entries(value).flatMap(([name, each]) => itemsIn(each, `${path}.${name}`)) : [];
}

/** The value with a field in each list item that identifies its source and is not in the schema. */
function traced(value: JsonValue, next: () => number): JsonValue {
  if (isArray(value)) {
    return value.map((item) => {
      const inside = traced(item, next);
      return isObject(inside) ? { ...inside, from: next() } : inside;
    });
  }
  return isObject(value) ? mapMembers(value, (each) => traced(each, next)) : value;
}

const withoutTrace = (item: JsonObject): JsonObject =>
  mapMembers(item, (value, name) => (name === 'from' ? undefined : value));

test('an item has unknown fields only from the live item with its key or with equal content', () => {
  const { free: _free, ...lists } = Object.fromEntries(toy.fields);
  const shape = object(lists);
  const paths = fc.constantFrom<readonly string[]>([], ['items.*.v'], ['plain.*.b'], ['items.x.env.*.v', 'plain.0.a']);
  fc.assert(
    fc.property(objectsOf(shape, false), objectsOf(shape, false), paths, (given, desired, ignore) => {
      let count = 0;
      const live = traced(given, () => (count += 1));
      if (!isObject(live)) return;
      const { target } = reconcile(shape, live, desired, { context, ignore });
      const origins = new Map(itemsIn(live).map(({ item }) => [own(item, 'from'), item]));
      for (const { item } of itemsIn(target)) {
        const from = own(item, 'from');
        if (from === undefined) continue;
        const origin = origins.get(from) ?? {};
        const [key, before] = [own(item, 'n'), own(origin, 'n')];
        const isSame =
          key === undefined ? sameJson(withoutTrace(item), withoutTrace(origin)) : String(key) === String(before);
        expect(isSame, `${JSON.stringify(origin)} has become ${JSON.stringify(item)}`).toBe(true);
      }
    }),
    { numRuns: runs(2000) },
  );
});
