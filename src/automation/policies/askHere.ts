import type { Finding } from '../../policies/model/finding.ts';
import type { Policy } from '../../policies/model/policy.ts';
import { policyOfRule, usedPolicies } from '../../policies/run/knownPolicies.ts';
import { type PolicyInput, runPolicy } from '../../policies/run/runPolicy.ts';
import { compareText } from '../../schema/text/compareText.ts';
import { answerFailure, twiceFailure } from './failure.ts';
import type { PolicySet } from './policySet.ts';
import type { LoadedPolicy, PolicyFailure } from './request.ts';
import type { PolicyAnswers } from './runPolicies.ts';

/**
 * Asks policies that come along, and rules without regular expressions, in this process: they are our code and data, they
 * change nothing, and take no longer than there are manifests.
 */
export async function askHere({ use, rules }: PolicySet, inputs: readonly PolicyInput[]): Promise<PolicyAnswers> {
  const all = [...usedPolicies(use), ...rules.map(policyOfRule)].toSorted((a, b) => compareText(a.id, b.id));
  const isTwice = ({ id }: Policy, index: number) => id === all[index - 1]?.id;
  const policies = all.filter((policy, index) => !isTwice(policy, index));
  const failures: PolicyFailure[] = all.filter(isTwice).map(({ id }) => twiceFailure(id, undefined));
  const findings = inputs.map((): Finding[] => []);
  for (const [of, input] of inputs.entries()) {
    for (const policy of policies) {
      try {
        for (const finding of await runPolicy(policy, input)) findings[of]?.push(finding);
      } catch (error) {
        failures.push(answerFailure(policy.id, error, undefined));
      }
    }
  }
  return { policies: policies.map(loadedOf), findings, failures };
}

function loadedOf({ id, about, plan }: Policy): LoadedPolicy {
  return { id, about, isAboutPlans: plan !== undefined };
}
