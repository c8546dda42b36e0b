import type { JsonObject } from '../base/json/json.ts';
import { absent, type ReconcileOptions, reconcile } from '../patch/reconcile.ts';
import { type Verdict as FieldVerdict, Recorder } from '../patch/recorder.ts';
import { withoutFields } from '../plan/record/shapeFacts.ts';
import { touches } from '../schema/shape/paths.ts';
import type { ObjectShape } from '../schema/shape/shape.ts';
import type { Reason } from './explanation.ts';

export type Verdict = FieldVerdict<Reason>;

/**
 * The record that `held` should become, with one verdict and reason per leaf. `held` is undefined if there is no record
 * yet. Tags are omitted: they are three-way.
 */
export function judgeFields(
  shape: ObjectShape,
  held: JsonObject | undefined,
  declared: JsonObject,
  options: Omit<ReconcileOptions, 'recorder'>,
): { readonly target: JsonObject; readonly verdicts: readonly FieldVerdict[] } {
  const recorder = new Recorder();
  const live = held === undefined ? absent : withoutFields(held, [['tags']]);
  const { target } = reconcile(shape, live, withoutFields(declared, [['tags']]), { ...options, recorder });
  return { target, verdicts: recorder.verdicts };
}

/**
 * The verdicts on the live record, given the paths that the plan changes: a field that seemed to differ but is not
 * written is derived, and is judged by its value after the change.
 */
export function resolveDerived(
  before: readonly Verdict[],
  after: readonly Verdict[],
  changed: readonly string[],
): readonly Verdict[] {
  const later = new Map(after.map((verdict) => [verdict.path, verdict]));
  return before.map((verdict) =>
    verdict.why !== 'differs' || isCovered(verdict.path, changed) ? verdict : (later.get(verdict.path) ?? verdict),
  );
}

/** Whether one of the paths equals this one, contains it, or is inside it. */
export function isCovered(path: string, paths: readonly string[]): boolean {
  return paths.some((each) => touches(each, path));
}
