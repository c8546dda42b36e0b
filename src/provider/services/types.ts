import { ToolError } from '../../base/toolError.ts';
import type { Attributes } from '../../hcl/attribute.ts';
import { kindOfType } from '../../hcl/schema/names.ts';
import { dataSourceSchema, listSchema, resourceSchema } from '../../hcl/schema/providerSchema.ts';
import { isWrittenKind, type KnownKind, type WrittenKind } from '../../schema/record/kinds.ts';

export interface ResourceType {
  readonly kind: WrittenKind;
  readonly attributes: Attributes;
}

export interface DataSourceType {
  readonly kind: KnownKind;
  /** True if it lists records instead of reading one. */
  readonly lists: boolean;
  readonly attributes: Attributes;
}

/** A type of resource by its name in Terraform. */
export function resourceTypeNamed(name = ''): ResourceType {
  const { kind, lists } = kindOfType(name) ?? {};
  if (kind === undefined || lists === true || !isWrittenKind(kind)) throw unknownType('resource', name);
  return { kind, attributes: resourceSchema(kind).attributes };
}

export function dataSourceTypeNamed(name = ''): DataSourceType {
  const type = kindOfType(name);
  if (type === undefined) throw unknownType('data source', name);
  const { attributes } = type.lists ? listSchema(type.kind) : dataSourceSchema(type.kind);
  return { ...type, attributes };
}

function unknownType(what: string, name: string): ToolError {
  return new ToolError({
    code: 'provider.unknown-type',
    message: `this version of the provider has no ${what} ${name}`,
    hint: 'Check the version of the provider that is installed: `gantry terraform schema` prints what it has.',
  });
}
