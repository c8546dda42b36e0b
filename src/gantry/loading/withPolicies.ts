import { type LocatedProblem, sortProblems } from '../../manifest/model/locatedProblem.ts';
import { openPolicies } from '../../policies/sandbox/openPolicies.ts';
import type { Session } from '../../project/session/session.ts';
import type { CheckedInputs } from './loadStack.ts';

export interface CheckedByPolicies {
  readonly problems: readonly LocatedProblem[];
  readonly notes: readonly string[];
}

/** What is wrong with the inputs, by the rules and by the policies: these are asked about what is valid only. */
export async function withPolicies(
  { problems, desired, project, declaredIn }: CheckedInputs,
  session: Session,
): Promise<CheckedByPolicies> {
  const isValid = problems.every(({ severity }) => severity !== 'error');
  const policies = isValid ? await openPolicies(session, project) : undefined;
  if (policies === undefined) return { problems, notes: [] };
  const own = new Set<string>(desired.map(({ id }) => id));
  const others = new Set<string>([...declaredIn.keys()].filter((id) => !own.has(id)));
  const verdict = await policies.judge({ desired, isElsewhere: (resource) => others.has(resource) });
  return { problems: sortProblems([...problems, ...verdict.problems]), notes: verdict.notes };
}
