import type { Policy } from '../model/policy.ts';
import type { Rule } from '../rules/rule.ts';
import { judgeByRule } from '../rules/ruleJudge.ts';
import { starter } from '../starter/starter.ts';

/** What `use` names: all of the starter set, or single ones. */
const starterName = 'starter';

/** The names that `use` may have. */
export function knownNames(): readonly string[] {
  return [starterName, ...starter.map(({ id }) => id)];
}

export function usedPolicies(names: readonly string[]): readonly Policy[] {
  return starter.filter(({ id }) => names.includes(starterName) || names.includes(id));
}

/** A rule as the policy that it is. */
export function policyOfRule(rule: Rule): Policy {
  const { id, kind, severity = 'error', message } = rule;
  return {
    id,
    about: message ?? '',
    severity,
    kinds: kind,
    resource: (manifest) => judgeByRule(rule, manifest),
    plan: undefined,
    position: () => ({ file: '', line: 1, column: 1 }),
  };
}
