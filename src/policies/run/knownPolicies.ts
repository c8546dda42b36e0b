import type { Policy } from '../model/policy.ts';
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
