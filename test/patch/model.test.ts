import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JsonObject, type JsonValue, sameJson } from '../../src/base/json/json.ts';
import { applyPatch } from '../../src/patch/applyPatch.ts';
import type { Shape } from '../../src/schema/shape/shape.ts';
import { runs } from '../harness/sampled.ts';
import { naiveApply, Refused } from './naiveModel.ts';
import { context, objectsOf, record, toy, valuesOf } from './toyShape.ts';

const names = fc.constantFrom('x', 'y', 'z', '1', 'a', 'b', '__proto__', '');
const someNames = fc.array(names, { maxLength: 3 });
const anyValue = fc.constantFrom<JsonValue>(null, 1, 'x', true, [], {}, ['x'], { n: 'x' }, [{ n: 'x', v: 1 }]);

type Entry = readonly [string, JsonValue];

/** Patch documents, mostly valid: any directive on any field, with names and keys that often exist. */
function patchesOf(shape: Shape, depth: number): fc.Arbitrary<JsonObject> {
  const fields = shape.type === 'object' ? [...shape.fields.keys(), 'zz'] : ['a', 'b', '', '__proto__', 'x/y'];
  const entry = fc
    .constantFrom(...fields)
    .chain((field): fc.Arbitrary<Entry> => entriesFor(below(shape, field), field, depth));
  const general: fc.Arbitrary<Entry> = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.array(fc.constantFrom(...fields), { maxLength: 2 }).map((drop): Entry => ['$drop', drop]),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(
        fc.constantFrom('$drop', '$merge', '$', '$replace', '$replace/$x', '$drop/a', '$append/a'),
        anyValue,
      ),
    },
  );
  return fc
    .array(fc.oneof({ weight: 8, arbitrary: entry }, { weight: 1, arbitrary: general }), { maxLength: 3 })
    .map(record);
}

function entriesFor(shape: Shape, field: string, depth: number): fc.Arbitrary<Entry> {
  const value = valuesOf(shape);
  const common: fc.WeightedArbitrary<Entry>[] = [
    { weight: 2, arbitrary: value.map((each): Entry => [field, each]) },
    { weight: 1, arbitrary: value.map((each): Entry => [`$replace/${field}`, each]) },
    { weight: 1, arbitrary: fc.constantFrom<Entry>([field, null], [`$replace/${field}`, null]) },
  ];
  if (shape.type === 'object' || shape.type === 'map') {
    if (depth > 0)
      common.push({ weight: 6, arbitrary: patchesOf(shape, depth - 1).map((each): Entry => [field, each]) });
  }
  if (shape.type === 'list' || shape.type === 'free') {
    common.push({ weight: 2, arbitrary: fc.tuple(fc.constantFrom(`$drop/${field}`, `$retain/${field}`), someNames) });
    const added = shape.type === 'list' ? value : fc.constantFrom<JsonValue>(['x'], [{ n: 'x' }], [null]);
    common.push({ weight: 3, arbitrary: added.map((each): Entry => [`$append/${field}`, each]) });
  }
  if (shape.type === 'list' && depth > 0) {
    const patch = fc
      .tuple(fc.constantFrom<JsonValue>('x', 'y', 'z', 1), patchesOf(shape.item, depth - 1))
      .map(([name, each]): JsonObject => ({ ...each, n: name }));
    common.push({
      weight: 4,
      arbitrary: fc.array(patch, { maxLength: 3 }).map((each): Entry => [`$patch/${field}`, each]),
    });
  }
  return fc.oneof(...common);
}

function below(shape: Shape, field: string): Shape {
  const member = shape.type === 'object' ? shape.fields.get(field) : shape.type === 'map' ? shape.value : undefined;
  return member ?? { type: 'free', facts: {} };
}

function naively(live: JsonObject, patch: JsonObject): JsonObject | 'refused' {
  try {
    return naiveApply(toy, live, patch);
  } catch (error) {
    if (error instanceof Refused) return 'refused';
    throw error;
  }
}

test('applyPatch agrees with a second reading of the documents on random patches (law 10, platform/patch.merge)', () => {
  let refused = 0;
  let tried = 0;
  fc.assert(
    fc.property(objectsOf(toy), patchesOf(toy, 3), (live, patch) => {
      const expected = naively(live, patch);
      const result = applyPatch(toy, live, patch, context);
      const found = result.ok ? result.record : 'refused';
      tried += 1;
      if (found === 'refused') refused += 1;
      if (!sameJson(found, expected)) expect(found).toEqual(expected);
    }),
    { numRuns: runs(6000) },
  );
  // The generator must produce both: a property of refusals alone would prove nothing.
  expect(refused).toBeGreaterThan(0);
  expect(tried - refused).toBeGreaterThan(tried / 2);
});
