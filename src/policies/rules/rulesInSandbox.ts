/** Rules in the sandbox of policies, separate from the main program, because loading the schema takes time. */

import { type CustomKinds, defineCustomKinds } from '../../schema/record/customKinds.ts';
import type { Policy } from './policy.ts';
import type { Rule } from './rule.ts';
import { policyOfRule } from './ruleJudge.ts';

/** `request`: JSON. */
export function policiesOfRules(request: string): readonly Policy[] {
  const { rules, kinds }: { readonly rules: readonly Rule[]; readonly kinds: CustomKinds } = JSON.parse(request);
  defineCustomKinds(kinds);
  return rules.map(policyOfRule);
}
