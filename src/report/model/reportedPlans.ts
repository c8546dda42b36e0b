import { planForm } from '../../plan/documents/planDocument.ts';
import type { Proof } from '../../plan/explain/explanation.ts';
import { isArray, isObject, type JsonValue, own } from '../../schema/json/json.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { planOutcome } from './outcome.ts';
import type { ReportedPlan } from './report.ts';

/** The proofs of a plan by resource, by the stack that the plan is of. */
export type ProofsByStack = ReadonlyMap<string, ReadonlyMap<ResourceId, Proof>>;

/** The plans in what `-o json` prints: one, or `{"stacks": […]}`; none in documents of other commands. */
export function reportedPlans(document: JsonValue, proofs: ProofsByStack): readonly ReportedPlan[] {
  const stacks = isObject(document) ? own(document, 'stacks') : undefined;
  const plans = isArray(stacks) ? stacks : [document];
  return plans.filter(planForm.is).map((plan) => ({
    document: plan,
    outcome: planOutcome(plan),
    proofs: proofs.get(plan.stack) ?? new Map(),
  }));
}
