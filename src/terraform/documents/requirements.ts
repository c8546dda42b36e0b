import type { Block } from '../hcl/block.ts';
import type { ObjectExpression } from '../hcl/expression.ts';
import { providerSource, providerType } from '../model/provider.ts';

/** `terraform { required_providers { … } }`. `version`: of this Gantry; its patches are taken too. */
export function requirements(version: string): Block {
  const provider: ObjectExpression = { source: providerSource, version: `~> ${version}` };
  return {
    type: 'terraform',
    blocks: [{ type: 'required_providers', attributes: [[providerType, provider]] }],
  };
}
