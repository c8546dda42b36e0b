import type { Configuration } from './configuration.ts';

/** What is said of an instruction that a configuration cannot have. */
export function lostText({ id, instruction }: Configuration['lost'][number]): string {
  return instruction === 'part'
    ? `${id} is left out: Terraform owns a resource as a whole, not a part of it`
    : `${id}: lifecycle.${instruction} has no counterpart in Terraform`;
}
