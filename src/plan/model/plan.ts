import { described, json, list, type Of, object, text } from '../../base/form/form.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import type { Action, Change, Refusal } from './change.ts';
import type { StorageUse } from './storageUse.ts';

export interface Plan {
  readonly formatVersion: 1;
  readonly org: string;
  /** The owner, which is the value of `gantry/stack`. */
  readonly stack: string;
  /** One for each resource, in a stable order: first written, first listed. */
  readonly changes: readonly Change[];
  /** Refusals of the plan as a whole (`--max-deletes`, an empty stack, ...). */
  readonly refusals: readonly Refusal[];
  readonly notes: readonly string[];
  readonly requests: { readonly snapshot: number; readonly apply: number };
  /**
   * The platform does not state whether it rejects a PATCH for another version: one request before the first PATCH
   * tests it.
   */
  readonly preconditions?: 'unsaid';
  /** The platform supports dry runs: creations of replacements are tried before the deletion. */
  readonly dryRun?: 'honoured';
  /** The storage that volume sets reserve; absent without volume sets. */
  readonly storage?: StorageUse;
  /** On a partial plan: the changes that `--target` and `--exclude` omit. */
  readonly leftOut?: readonly LeftOut[];
  /**
   * The `uid`s of records that keep something only because the audit trail was not queried for its writer; absent
   * without any.
   */
  readonly inDoubt?: readonly string[];
  /** Values that are written to files after the changes; absent without any. */
  readonly saves?: readonly Save[];
  /** Deletions that wait for other stacks of the same run; absent without any. */
  readonly waiting?: readonly Waiting[];
}

/** A deletion that comes after another stack. */
export interface Waiting {
  readonly id: ResourceId;
  readonly after: string;
  /** The record that needs it until then, and the place in it. */
  readonly by: ResourceId;
  readonly path: string;
}

/** A change omitted from a partial plan. */
export interface LeftOut {
  readonly id: ResourceId;
  readonly action: Action;
}

/** A value made by a plan, shown once, and saved to a file. */
export const saveForm = object({
  output: text,
  file: described('Relative to the folder in which Gantry runs.', text),
  value: described('With references, never with the values themselves.', json),
  of: described('The records that it is of.', list(text)),
});
export type Save = Of<typeof saveForm>;

/** The number of resources by action. */
type ActionCounts = Readonly<Record<Action, number>>;

export function actionCounts(changes: readonly Pick<Change, 'action'>[]): ActionCounts {
  const counts = { create: 0, patch: 0, replace: 0, delete: 0, keep: 0, adopt: 0, forget: 0, refuse: 0 };
  for (const { action } of changes) counts[action] += 1;
  return counts;
}

/** Whether the plan must not run. */
export function isRefused(plan: Plan): boolean {
  return plan.refusals.length > 0 || plan.changes.some((change) => change.action === 'refuse');
}

/** Whether there is nothing to do. A refused plan is not empty. */
export function isEmptyPlan(plan: Plan): boolean {
  const { refusals, changes, saves = [] } = plan;
  return refusals.length === 0 && saves.length === 0 && changes.every((change) => change.action === 'keep');
}

/** Whether it is kept because it equals its declaration. The verification after a run checks it too. */
export function isKeptAsDeclared({ action, unowned, unchecked }: Change): boolean {
  return action === 'keep' && unowned !== true && unchecked !== true;
}

/** Whether there is nothing to do and nothing to wait for. */
export function isIdlePlan(plan: Plan): boolean {
  return isEmptyPlan(plan) && !plan.changes.some(waitsUnchanged);
}

/** Whether it is unchanged but waited for. */
export function waitsUnchanged({ action, wait }: Pick<Change, 'action' | 'wait'>): boolean {
  return action === 'keep' && wait;
}
