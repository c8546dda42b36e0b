import type { JsonObject, JsonValue } from '../../base/json/json.ts';
import { compact, present } from '../../base/json/present.ts';
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
} from '../attribute.ts';

/** The schema of the provider as `terraform providers schema -json` prints it. `source`: its address. */
export function schemaJson(schema: ProviderSchema, source: string): JsonObject {
  const { provider, resources, dataSources, ephemeral, functions } = schema;
  return {
    format_version: '1.0',
    provider_schemas: {
      [source]: {
        provider: blockJson(provider),
        resource_schemas: eachJson(resources),
        data_source_schemas: eachJson(dataSources),
        ...some('ephemeral_resource_schemas', eachJson(ephemeral)),
        ...some(
          'functions',
          Object.fromEntries(Object.entries(functions).map(([name, each]) => [name, functionJson(each)])),
        ),
      },
    },
  };
}

/** Terraform omits empty members. */
function some(name: string, members: JsonObject): JsonObject {
  return Object.keys(members).length === 0 ? {} : { [name]: members };
}

function functionJson({ summary, description, parameters, variadic, returns }: FunctionSchema): JsonObject {
  return {
    description,
    summary,
    return_type: returns,
    parameters: parameters.map(parameterJson),
    ...present({ variadic_parameter: variadic === undefined ? undefined : parameterJson(variadic) }),
  };
}

function parameterJson({ name, description, type }: ParameterSchema): JsonObject {
  return { name, description, type };
}

function eachJson(schemas: { readonly [type: string]: BlockSchema }): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, blockJson(schema)]));
}

function blockJson({ version, description, attributes }: BlockSchema): JsonObject {
  return { version, block: bodyJson(description, attributes) };
}

function bodyJson(description: string, attributes: Attributes): JsonObject {
  const blocks = Object.entries(attributes).flatMap(([name, each]) =>
    isBlock(each) ? [[name, nestedJson(each)] as const] : [],
  );
  return {
    ...some('attributes', attributesJson(attributes)),
    ...some('block_types', Object.fromEntries(blocks)),
    description,
    description_kind: 'markdown',
  };
}

function nestedJson(block: NestedAttribute): JsonObject {
  const { nesting, description, attributes, deprecated } = block;
  const body = { ...bodyJson(description, attributes), ...flag('deprecated', deprecated !== undefined) };
  return { nesting_mode: nesting, block: body, ...blockCounts(block) };
}

function attributesJson(attributes: Attributes): JsonObject {
  return Object.fromEntries(
    compact(Object.entries(attributes), ([name, each]) => (isBlock(each) ? undefined : [name, attributeJson(each)])),
  );
}

function attributeJson(attribute: Attribute): JsonObject {
  const { description, required, optional, computed, sensitive, writeOnly, deprecated } = attribute;
  return {
    ...typeJson(attribute),
    description,
    description_kind: 'markdown',
    ...flag('deprecated', deprecated !== undefined),
    ...flag('required', required),
    ...flag('optional', optional),
    ...flag('computed', computed),
    ...flag('sensitive', sensitive),
    ...flag('write_only', writeOnly),
  };
}

function typeJson(attribute: Attribute): JsonObject {
  if ('type' in attribute) {
    const type: JsonValue = attribute.type;
    return { type };
  }
  return {
    nested_type: { ...some('attributes', attributesJson(attribute.attributes)), nesting_mode: attribute.nesting },
  };
}

function flag(name: string, value: boolean | undefined): JsonObject {
  return value === true ? { [name]: true } : {};
}

/**
 * The same schema with nested attributes instead of blocks, for generators of classes: in the JSON syntax both are
 * written the same, and the generators use wrong types for single blocks and maps of blocks.
 */
export function withoutBlocks({ provider, resources, dataSources }: ProviderSchema): ProviderSchema {
  const plain = (schema: BlockSchema): BlockSchema => ({ ...schema, attributes: plainAttributes(schema.attributes) });
  const each = (schemas: { readonly [type: string]: BlockSchema }) =>
    Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, plain(schema)]));
  return {
    provider: plain(provider),
    resources: each(resources),
    dataSources: each(dataSources),
    ephemeral: {}, // the generators have no classes for them
    functions: {},
  };
}

function plainAttributes(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]): readonly [string, Attribute] => {
      if (!('attributes' in attribute)) return [name, attribute];
      const { isBlock: _isBlock, ...rest } = attribute;
      return [name, { ...rest, attributes: plainAttributes(attribute.attributes) }];
    }),
  );
}
