import type { Block } from '../block.ts';
import { providerSource, providerType } from '../provider.ts';

/** The value for this provider in `required_providers`. `version`: of this Gantry; its patches are taken too. */
export function requirement(version: string) {
  return { source: providerSource, version: `~> ${version}` };
}

/** `terraform { required_providers { … } }`. */
export function requirements(version: string): Block {
  return {
    type: 'terraform',
    blocks: [{ type: 'required_providers', attributes: [[providerType, requirement(version)]] }],
  };
}
