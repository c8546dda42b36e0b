import type { PolicyProblem, PolicySeverity } from './policy.ts';

/** A problem that a policy found, with the policy. */
export interface Finding extends PolicyProblem {
  readonly policy: string;
  readonly severity: PolicySeverity;
}
