import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../../src/base/json/json.ts';
import { normalise } from '../../../src/kinds/normalise.ts';
import { shapeOf } from '../../../src/kinds/shapeOf.ts';
import { type ReconcileOptions, reconcile } from '../../../src/patch/reconcile.ts';
import { Recorder, type Verdict } from '../../../src/patch/recorder.ts';
import { context, mixed, recordsOf, subjects } from '../realRecord.ts';

/** More with GANTRY_EXPLAIN. */
const numRuns = Number(process.env['GANTRY_EXPLAIN'] ?? 20);

/** A selection of the paths, by number. */
const chosen = (salt: number, path: string): boolean => (path.length * 7 + salt) % 3 === 0;

function optionsOf(salt: number, paths: readonly string[]): ReconcileOptions {
  const some = (path: string): boolean => chosen(salt, path);
  const stored = { isFilled: some, isForm: some };
  const modes: readonly Partial<ReconcileOptions>[] = [
    {},
    { ignore: paths.filter(some) },
    { wasSet: some },
    { revertOperational: true },
    { part: true },
    { stored },
    { stored: { ...stored, hasOtherDefaults: true } },
  ];
  return { context, ...modes[salt % modes.length] };
}

describe.each(subjects)('$kind $type', ({ kind, type }) => {
  const record = recordsOf(kind, type);
  const pair = fc
    .tuple(record, record)
    .chain(([a, b]) =>
      fc.tuple(fc.constant(normalise(kind, a, context)), fc.oneof(fc.constant(b), mixed(a, b).filter(isObject))),
    );

  test('a recorder does not affect the target, which has no reported differences', () => {
    fc.assert(
      fc.property(pair, fc.nat(), ([live, desired], salt) => {
        const shape = shapeOf(kind, desired);
        const recorded = (held: JsonObject, options: ReconcileOptions) => {
          const recorder = new Recorder();
          return { ...reconcile(shape, held, desired, { ...options, recorder }), verdicts: recorder.verdicts };
        };
        const differing = (verdicts: readonly Verdict[]): readonly string[] =>
          verdicts.filter(({ why }) => why === 'differs').map(({ path }) => path);

        const { verdicts } = recorded(live, { context });
        const options = optionsOf(
          salt,
          verdicts.map(({ path }) => path),
        );
        const before = recorded(live, options);
        expect(before.target).toEqual(reconcile(shape, live, desired, options).target);
        // Generated forms belong to no platform.
        if (options.stored !== undefined) return;
        // A derived value, or one that the platform chose, is removed because of another field.
        const makesWay = before.verdicts.some(({ why }) => why === 'differs' || why === 'service' || why === 'derived');
        expect(before.target === live || makesWay).toBe(true);
        expect(differing(recorded(before.target, options).verdicts)).toEqual([]);
      }),
      { numRuns },
    );
  });
});
