import type { SavedPlan } from '../../change/saved/savedPlan.ts';
import { fileProblem } from '../../manifest/model/locatedProblem.ts';
import type { Plan } from '../../plan/model/plan.ts';
import type { ProjectPolicies } from '../../policies/sandbox/projectPolicies.ts';
import { judgePlan } from '../../policies/verdict/judgePlan.ts';

/**
 * A saved plan with what the policies refuse as they are now: they are asked again about what it declares and does. Each
 * policy that it was made under has to be there still. What they only warn of was told when it was made.
 */
export async function judgeSaved(
  { plan, declared, judged }: SavedPlan,
  policies: ProjectPolicies | undefined,
): Promise<Plan> {
  const made = judged?.policies ?? [];
  const verdict = await policies?.judge({ desired: [...declared, ...(judged?.beside ?? [])], plan });
  const missing = made.filter((id) => verdict?.policies.includes(id) !== true);
  const errors = (verdict?.problems ?? []).filter(({ severity }) => severity === 'error');
  const gone = missing.map((id) => {
    const message = `the plan was made under the policy ${id}, which is not here any more`;
    const hint = 'Apply it where its policies are; or plan again, if it was meant to go.';
    return fileProblem({ file: 'gantry.yaml', line: 1, column: 1 }, 'policies.missing', message, hint);
  });
  // Policies that cannot be loaded are missing too, and the reason is told.
  const problems = errors.some(({ rule }) => rule.startsWith('policies.')) ? errors : [...errors, ...gone];
  return judgePlan(plan, { problems, notes: [], imposed: verdict?.imposed ?? new Set() });
}
