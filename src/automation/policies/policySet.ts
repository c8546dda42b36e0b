import { hasPattern } from '../../policies/rules/rule.ts';
import type { PolicyRequest } from './request.ts';

/** Policies that are asked together. */
export interface PolicySet extends Pick<PolicyRequest, 'files' | 'rules'> {
  /** Names of policies that come along. */
  readonly use: readonly string[];
}

/** A set in two: what is ours to the last instruction, and what needs a process with bounds. */
export function divided({ files, use, rules }: PolicySet): { readonly here: PolicySet; readonly apart: PolicySet } {
  return {
    here: { files: [], use, rules: rules.filter((rule) => !hasPattern(rule)) },
    apart: { files, use: [], rules: rules.filter(hasPattern) },
  };
}
