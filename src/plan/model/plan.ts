import { described, json, list, type Of, object, text } from '../../base/form/form.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import type { Action, Change, Refusal } from './change.ts';
import type { StorageUse } from './storageUse.ts';

export interface Plan {
  readonly formatVersion: 1;
  readonly org: string;
  /** The owner: the value of `gantry/stack`. */
  readonly stack: string;
  /** One for each resource, in a stable order: what is written first comes first. */
  readonly changes: readonly Change[];
  /** Refusals of the plan as a whole (`--max-deletes`, an empty stack, ...). */
  readonly refusals: readonly Refusal[];
  readonly notes: readonly string[];
  readonly requests: { readonly snapshot: number; readonly apply: number };
  /**
   * The platform does not state whether it rejects a PATCH for another version: one request finds out before the first
   * PATCH.
   */
  readonly preconditions?: 'unsaid';
  /** The platform honours dry runs: creations of replacements are tried before the deletion. */
  readonly dryRun?: 'honoured';
  /** The storage that volume sets reserve; absent where there are none. */
  readonly storage?: StorageUse;
  /** Of a partial plan: what `--target` and `--exclude` leave for later; absent for a plan of everything. */
  readonly leftOut?: readonly LeftOut[];
  /** Records of which something stays because the audit trail was not asked who set it, by `uid`; absent: none. */
  readonly inDoubt?: readonly string[];
  /** Values that are written to files after the changes; absent where there are none. */
  readonly saves?: readonly Save[];
  /** Deletions that are made once other stacks of the same run have let go; absent where there are none. */
  readonly waiting?: readonly Waiting[];
}

/** A deletion that comes after another stack. */
export interface Waiting {
  readonly id: ResourceId;
  readonly after: string;
  /** The records that need it until then, and the place in each. */
  readonly by: ResourceId;
  readonly path: string;
}

/** A change that a partial plan does not make. */
export interface LeftOut {
  readonly id: ResourceId;
  readonly action: Action;
}

/** A value that a plan makes, that is shown once, and that goes to a file. */
export const saveForm = object({
  output: text,
  file: described('Relative to the folder in which Gantry runs.', text),
  value: described('With references, never with the values themselves.', json),
  of: described('The records that it is of.', list(text)),
});
export type Save = Of<typeof saveForm>;

/** How many resources each action concerns. */
type ActionCounts = Readonly<Record<Action, number>>;

export function actionCounts(changes: readonly Pick<Change, 'action'>[]): ActionCounts {
  const counts = { create: 0, patch: 0, replace: 0, delete: 0, keep: 0, adopt: 0, forget: 0, refuse: 0 };
  for (const { action } of changes) counts[action] += 1;
  return counts;
}

/** May this plan not run? */
export function isRefused(plan: Plan): boolean {
  return plan.refusals.length > 0 || plan.changes.some((change) => change.action === 'refuse');
}

/** Is there nothing to do? A refused plan is not empty. */
export function isEmptyPlan(plan: Plan): boolean {
  const { refusals, changes, saves = [] } = plan;
  return refusals.length === 0 && saves.length === 0 && changes.every((change) => change.action === 'keep');
}

/** Is it kept because it is as it is declared? The verification after a run looks at it too. */
export function isKeptAsDeclared({ action, unowned, unchecked }: Change): boolean {
  return action === 'keep' && unowned !== true && unchecked !== true;
}

/** Is there nothing to do, and nothing to wait for? */
export function isIdlePlan(plan: Plan): boolean {
  return isEmptyPlan(plan) && !plan.changes.some(waitsUnchanged);
}

/** Is it waited for although nothing of it is written? */
export function waitsUnchanged({ action, wait }: Pick<Change, 'action' | 'wait'>): boolean {
  return action === 'keep' && wait;
}
