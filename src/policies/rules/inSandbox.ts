/**
 * The program that runs with policies in their sandbox: `gantry/policies`, and the functions that Gantry calls there.
 * All answers are JSON texts. It is bundled with `src/policies/rules/rulesInSandbox.ts` into
 * `generated/policies/programs.ts`.
 */

import { memberOf, readThrown, type Thrown } from '../../base/thrown.ts';
import type { Position } from '../../manifest/model/manifest.ts';
import { type Finding, type Policy, policyMark } from './policy.ts';
import { freeze, NoAnswer, type PolicyInput, runPolicy } from './runPolicy.ts';

export { isKind, masked } from './manifestOf.ts';
export { policy } from './policy.ts';
export { starter } from './starter.ts';

/** A policy in the sandbox. */
export interface HeldPolicy {
  /** Identifies the policy in calls. */
  readonly index: number;
  readonly id: string;
  readonly about: string;
  readonly isAboutPlans: boolean;
  /** Empty for a policy of all kinds, or of a plan. */
  readonly kinds: readonly string[];
  /** The position of the code that created it. */
  readonly position: Position;
}

/** An error in its reported form. */
export interface ThrownInSandbox extends Thrown {
  readonly hint?: string;
}

/** The answer of `take` for a module. */
export type Taken = { readonly policies: readonly HeldPolicy[] } | { readonly thrown: ThrownInSandbox };

/** The answer of `ask`. Without `thrown`, a failed policy returned something else than problems. */
export type Answered =
  | { readonly found: readonly Finding[] }
  | { readonly failed: string; readonly resource?: string | undefined; readonly thrown?: ThrownInSandbox };

const held: Policy[] = [];
let input: PolicyInput = { resources: [], environment: undefined, inputs: {}, now: '' };

/** Stores the policies that a module exports, alone or in lists. */
export function take(exported: unknown): string {
  const values = typeof exported === 'object' && exported !== null ? Object.values(exported) : [];
  return hold([...new Set(values.flat().filter(isPolicy))]);
}

export function refuse(error: unknown): string {
  return told({ thrown: thrownOf(error) });
}

/** Sets the input for all following policies. */
export function give(text: string): void {
  input = JSON.parse(text);
  freeze(input);
}

export async function ask(index: number): Promise<string> {
  const policy = held[index];
  try {
    return told({ found: policy === undefined ? [] : await runPolicy(policy, input) });
  } catch (error) {
    const { message, resource, cause } = error instanceof NoAnswer ? error : new NoAnswer('it threw', undefined, error);
    return told({ failed: message, resource, ...(cause === undefined ? {} : { thrown: thrownOf(cause) }) });
  }
}

export function hold(policies: readonly Policy[]): string {
  const first = held.length;
  held.push(...policies);
  return told({
    policies: policies.map((policy, index) => ({
      index: first + index,
      id: policy.id,
      about: policy.about,
      isAboutPlans: policy.plan !== undefined,
      kinds: policy.kinds ?? [],
      position: policy.position(),
    })),
  });
}

function told(answer: Taken | Answered): string {
  return JSON.stringify(answer);
}

function thrownOf(error: unknown): ThrownInSandbox {
  const hint = memberOf(error, 'hint');
  return { ...readThrown(error), ...(typeof hint === 'string' ? { hint } : {}) };
}

function isPolicy(value: unknown): value is Policy {
  return memberOf(value, policyMark) === true;
}
