import type { Block } from '../block.ts';
import type { ObjectExpression } from '../expression.ts';
import { providerSource, providerType } from '../provider.ts';

/** `terraform { required_providers { … } }`. `version`: of this Gantry; its patches are taken too. */
export function requirements(version: string): Block {
  const provider: ObjectExpression = { source: providerSource, version: `~> ${version}` };
  return {
    type: 'terraform',
    blocks: [{ type: 'required_providers', attributes: [[providerType, provider]] }],
  };
}
