import type { Explainable } from '../../change/explainChange.ts';
import type { SavedPlan } from '../../change/savedPlan.ts';
import type { PlanOptions } from '../../plan/model/planOptions.ts';
import { shortHash } from '../loading/hash.ts';

export function planOptionsOf({ options, plan }: SavedPlan): PlanOptions {
  return { ...options, owner: plan.stack, hash: shortHash };
}

/** The facts that explain a saved plan. */
export function explainableOf(saved: SavedPlan): Explainable {
  const { plan, directives, unrevealed, live, declared } = saved;
  return {
    plan,
    desired: declared,
    snapshot: {
      org: plan.org,
      resources: live,
      closures: new Map(),
      unrevealed,
      directives,
      requests: plan.requests.snapshot,
    },
    options: planOptionsOf(saved),
  };
}
