import type { Change } from './change.ts';
import type { Plan } from './plan.ts';

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
