import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isArray, isObject, type JsonObject, type JsonValue } from '../../../src/base/json/json.ts';
import type { Verdict } from '../../../src/change/explain/verdict.ts';
import { isCovered, judge, settle } from '../../../src/change/explain/verdicts.ts';
import { normalise } from '../../../src/kinds/normalForm/normalise.ts';
import { shapeOf } from '../../../src/kinds/shape/shapeOf.ts';
import { diff } from '../../../src/patch/diff.ts';
import { bySchema } from '../../../src/patch/model/sensitivity.ts';
import { fieldChanges } from '../../../src/patch/show/fieldChanges.ts';
import { valueAt } from '../../../src/plan/record/shapeFacts.ts';
import { matchPath } from '../../../src/schema/shape/paths.ts';
import { context, mixed, recordsOf, subjects } from '../../patch/realRecord.ts';

function isHollow(value: JsonValue | undefined): boolean {
  if (isArray(value)) return value.every(isHollow);
  return isObject(value) && Object.values(value).every(isHollow);
}

/** More of them with GANTRY_EXPLAIN. */
const runs = Number(process.env['GANTRY_EXPLAIN'] ?? 20);

/**
 * What is explained must be what is planned. What a field means is decided once, in `patch/judge/`; the two walks differ
 * in how items without keys find each other, in what becomes of an object as a whole, and in what follows a change.
 */
describe.each(subjects)('$kind $type', ({ kind, type }) => {
  const record = recordsOf(kind, type);
  const pair = fc
    .tuple(record, record)
    .chain(([a, b]) =>
      fc.tuple(fc.constant(normalise(kind, a, context)), fc.oneof(fc.constant(b), mixed(a, b).filter(isObject))),
    );
  const options = { context, ignore: [], wasSet: () => false, revertOperational: false, part: false };

  const verdicts = (held: JsonObject, declared: JsonObject) => judge(shapeOf(kind, declared), held, declared, options);
  const differing = (found: readonly Verdict[]): readonly string[] =>
    found.filter(({ why }) => why === 'differs').map(({ path }) => path);

  test('a field is said to differ exactly where the plan changes one, and the patch leaves none that does', () => {
    fc.assert(
      fc.property(pair, ([live, desired]) => {
        const declared = { ...desired, tags: live['tags'] ?? {} };
        const found = diff(kind, live, declared, { context, directives: 'all' });
        const target = found?.target ?? live;
        const changed = fieldChanges(bySchema(shapeOf(kind, declared)), live, target, context)
          .map(({ path }) => path)
          .filter((path) => path !== 'tags');

        const after = verdicts(target, declared);
        const before = settle(verdicts(live, declared), after, changed);
        const said = differing(before);
        const held = (path: string, record: JsonObject): JsonValue | undefined => {
          const [pointer] = matchPath(path, shapeOf(kind, declared), record);
          return pointer === undefined ? undefined : valueAt(record, pointer);
        };
        // What holds nothing but empty lists is no field that anybody reads.
        const unsaid = said.filter((path) => !isCovered(path, changed) && !isHollow(held(path, live)));
        expect(unsaid).toEqual([]);
        // An object that goes as a whole takes along what means nothing by itself; what is derived follows its source,
        // and
        // what the platform chose makes way; a new object brings along a switch that is off.
        const around = (path: string): string => path.slice(0, path.lastIndexOf('.'));
        const along = before
          .filter(
            ({ why, heldAt }) => why === 'derived' || why === 'service' || (why === 'default' && heldAt === undefined),
          )
          .map(({ path }) => path);
        const unseen = changed.filter(
          (path) => !isCovered(path, [...said, ...along]) && held(around(path), target) !== undefined,
        );
        expect(unseen).toEqual([]);
        expect(differing(after)).toEqual([]);
      }),
      { numRuns: runs },
    );
  });
});
