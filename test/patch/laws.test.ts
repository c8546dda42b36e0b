import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyPatch } from '../../src/patch/apply/applyPatch.ts';
import { bySchema } from '../../src/patch/model/sensitivity.ts';
import { reconcile } from '../../src/patch/reconcile/reconcile.ts';
import { fieldChanges } from '../../src/patch/show/fieldChanges.ts';
import { writePatch } from '../../src/patch/write/writePatch.ts';
import { isObject, type JsonObject, own, sameJson } from '../../src/schema/json/json.ts';
import { equalValues } from '../../src/schema/normalForm/equal.ts';
import { shortened } from './shortened.ts';
import { context, objectsOf, toy } from './toyShape.ts';

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
    { numRuns: 5000 },
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
    { numRuns: 3000 },
  );
});

test('a record differs from itself in nothing, and the very same object comes back (law 2)', () => {
  fc.assert(
    fc.property(declared, (live) => {
      const copy: unknown = JSON.parse(JSON.stringify(live));
      expect(isObject(copy) && reconcile(toy, live, copy, { context }).target).toBe(live);
    }),
    { numRuns: 1500 },
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
    { numRuns: 1500 },
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
    { numRuns: 500 },
  );
});
