import { fieldIn, isArray, type JsonValue } from '../../base/json/json.ts';
import { type DriftDocument, driftForm } from '../../change/documents/driftDocument.ts';
import { planForm } from '../../change/documents/planDocument.ts';
import type { Proof } from '../../change/explanation.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { planOutcome } from './outcome.ts';
import type { ReportedPlan } from './report.ts';

/** The proofs of a plan by resource, by the stack that the plan is of. */
export type ProofsByStack = ReadonlyMap<string, ReadonlyMap<ResourceId, Proof>>;

/** `-o json` prints a document of one stack, or `{"stacks": […]}`. */
function documentsIn(document: JsonValue): readonly JsonValue[] {
  const stacks = fieldIn(document, 'stacks');
  return isArray(stacks) ? stacks : [document];
}

/** The plans in what `-o json` prints; none in documents of other commands. */
export function reportedPlans(document: JsonValue, proofs: ProofsByStack): readonly ReportedPlan[] {
  return documentsIn(document)
    .filter(planForm.is)
    .map((plan) => ({
      document: plan,
      outcome: planOutcome(plan),
      proofs: proofs.get(plan.stack) ?? new Map(),
    }));
}

/** The same of `drift`. */
export function reportedDrifts(document: JsonValue): readonly DriftDocument[] {
  return documentsIn(document).filter(driftForm.is);
}
