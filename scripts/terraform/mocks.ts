import type { Attributes } from '../../src/hcl/attribute.ts';
import type { ObjectExpression } from '../../src/hcl/expression.ts';
import { nativeSyntax } from '../../src/hcl/nativeSyntax.ts';
import { providerSchema } from '../../src/hcl/schema/providerSchema.ts';
import { kindOfType } from '../../src/hcl/schema/typeNames.ts';
import { isGvcScoped } from '../../src/schema/record/kinds.ts';
import { linkOf, refTo } from '../../src/schema/record/ref.ts';

/**
 * Values for what only the platform says, for `mock_provider` of `terraform test`: what Terraform makes up itself has eight
 * random letters, which neither a link nor an address is.
 */
export function terraformMocks(): string {
  const { resources, dataSources } = providerSchema();
  const mocks = (block: string, types: typeof resources) =>
    Object.entries(types).flatMap(([type, { attributes }]) => {
      const { kind, lists } = kindOfType(type) ?? {};
      if (kind === undefined || lists === true) return [];
      const link = linkOf(refTo(kind, 'mock', isGvcScoped(kind) ? 'mock' : undefined), 'mock');
      return [{ type: block, labels: [type], attributes: [['defaults', defaultsOf(attributes, link)] as const] }];
    });
  return nativeSyntax([...mocks('mock_resource', resources), ...mocks('mock_data', dataSources)]);
}

function defaultsOf(attributes: Attributes, link: string): ObjectExpression {
  const known: ObjectExpression = {
    id: '00000000-0000-4000-8000-000000000000',
    link,
    created: '2026-01-01T00:00:00Z',
    last_modified: '2026-01-01T00:00:00Z',
    version: 1,
    tags_all: {},
    protected: false,
  };
  const own = Object.entries(known).filter(([name]) => attributes[name]?.computed === true);
  const status = attributes['status'];
  const addresses =
    status !== undefined && 'attributes' in status
      ? Object.keys(status.attributes).filter((name) => /^(canonical_)?endpoint$/.test(name))
      : [];
  return {
    ...Object.fromEntries(own),
    ...(addresses.length === 0
      ? {}
      : { status: Object.fromEntries(addresses.map((name) => [name, 'https://mock.example.com'])) }),
  };
}
