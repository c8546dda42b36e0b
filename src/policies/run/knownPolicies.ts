import type { Policy } from '../model/policy.ts';
import { starter } from '../starter/starter.ts';

/** The name of the whole starter set in `use`, which also takes single ones. */
const starterName = 'starter';

/** The names that `use` may have. */
export function knownNames(): readonly string[] {
  return [starterName, ...starter.map(({ id }) => id)];
}

export function usedPolicies(names: readonly string[]): readonly Policy[] {
  return starter.filter(({ id }) => names.includes(starterName) || names.includes(id));
}
