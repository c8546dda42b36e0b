import { present } from '../../base/json/present.ts';
import {
  type Attribute,
  type Attributes,
  type BlockSchema,
  blockCounts,
  type FunctionSchema,
  isBlock,
  type NestedAttribute,
  type ParameterSchema,
  type ProviderSchema,
} from '../../hcl/attribute.ts';
import type { Message, ResponseOf } from './messages.ts';

/** Optional capabilities of this provider. */
export const capabilities: Message<'ServerCapabilities'> = {
  plan_destroy: true,
  get_provider_schema_optional: true,
  move_resource_state: true,
};

export function schemaResponse(schema: ProviderSchema): ResponseOf<'GetProviderSchema'> {
  return {
    provider: schemaMessage(schema.provider),
    resource_schemas: mapped(schema.resources),
    data_source_schemas: mapped(schema.dataSources),
    ephemeral_resource_schemas: mapped(schema.ephemeral),
    functions: functionMessages(schema.functions),
    server_capabilities: capabilities,
  };
}

function mapped(blocks: Readonly<Record<string, BlockSchema>>): Readonly<Record<string, Message<'Schema'>>> {
  return Object.fromEntries(Object.entries(blocks).map(([type, block]) => [type, schemaMessage(block)]));
}

const markdown = 1;

export function functionMessages(
  functions: ProviderSchema['functions'],
): Readonly<Record<string, Message<'Function'>>> {
  return Object.fromEntries(Object.entries(functions).map(([name, each]) => [name, functionMessage(each)]));
}

function functionMessage(schema: FunctionSchema): Message<'Function'> {
  const { parameters, variadic, returns, summary, description } = schema;
  return {
    parameters: parameters.map(parameterMessage),
    ...present({ variadic_parameter: variadic === undefined ? undefined : parameterMessage(variadic) }),
    return: { type: Buffer.from(JSON.stringify(returns)) },
    summary,
    description,
    description_kind: markdown,
  };
}

/** Terraform calls a function only with known values that are not null. */
function parameterMessage({ name, type, description }: ParameterSchema): Message<'Parameter'> {
  return { name, type: Buffer.from(JSON.stringify(type)), description, description_kind: markdown };
}

function schemaMessage({ version, description, attributes }: BlockSchema): Message<'Schema'> {
  return { version, block: { version, ...blockMessage(description, attributes) } };
}

function blockMessage(description: string, attributes: Attributes): Message<'Block'> {
  return {
    description,
    description_kind: markdown,
    attributes: attributeMessages(attributes),
    block_types: Object.entries(attributes).flatMap(([name, each]) => (isBlock(each) ? [nestedBlock(name, each)] : [])),
  };
}

function nestedBlock(name: string, block: NestedAttribute): Message<'NestedBlock'> {
  const { description, attributes, nesting, deprecated } = block;
  return {
    type_name: name,
    block: { ...blockMessage(description, attributes), ...(deprecated === undefined ? {} : { deprecated: true }) },
    nesting: nestings[nesting],
    ...blockCounts(block),
  };
}

function attributeMessages(attributes: Attributes): readonly Message<'Attribute'>[] {
  return Object.entries(attributes).flatMap(([name, each]) => (isBlock(each) ? [] : [attributeMessage(name, each)]));
}

function attributeMessage(name: string, attribute: Attribute): Message<'Attribute'> {
  return {
    name,
    ...('type' in attribute
      ? { type: Buffer.from(JSON.stringify(attribute.type)) }
      : { nested_type: nestedType(attribute) }),
    description: attribute.description,
    description_kind: markdown,
    ...present({
      required: attribute.required,
      optional: attribute.optional,
      computed: attribute.computed,
      sensitive: attribute.sensitive,
      write_only: attribute.writeOnly,
    }),
    ...present({ deprecated: attribute.deprecated === undefined ? undefined : true }),
  };
}

const nestings = { single: 1, list: 2, set: 3, map: 4 } as const;

function nestedType({ attributes, nesting }: NestedAttribute): Message<'NestedType'> {
  return { attributes: attributeMessages(attributes), nesting: nestings[nesting] };
}
