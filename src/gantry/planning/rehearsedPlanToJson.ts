import type { JsonObject } from '../../base/json/json.ts';
import { planToJson } from '../../change/documents/planToJson.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import type { Plan } from '../../plan/model/plan.ts';
import { type Rehearsal, rehearsalToJson } from '../../rehearsal/rehearsal.ts';

/** The document of a plan, with how it went in rehearsal where it was rehearsed. `desired`: for the places of changes. */
export function rehearsedPlanToJson(
  plan: Plan,
  desired: readonly DesiredResource[] | undefined,
  rehearsal: Rehearsal | undefined,
): JsonObject {
  const document = planToJson(plan, desired);
  return rehearsal === undefined ? document : { ...document, rehearsal: rehearsalToJson(rehearsal) };
}
