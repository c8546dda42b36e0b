import type { SavedPlan } from '../../change/saved/savedPlan.ts';
import type { PlanOptions } from '../../plan/model/planOptions.ts';
import { shortHash } from '../planning/hash.ts';

/** The options that a saved plan was made with. */
export function planOptionsOf({ options, plan }: SavedPlan): PlanOptions {
  return { ...options, owner: plan.stack, hash: shortHash };
}
