import type { JsonObject, JsonValue } from '../../schema/json/json.ts';
import type { Attribute, Attributes, BlockSchema, ProviderSchema } from '../model/attribute.ts';

/** The schema of the provider as `terraform providers schema -json` prints it. `source`: its address. */
export function schemaJson({ provider, resources, dataSources }: ProviderSchema, source: string): JsonObject {
  return {
    format_version: '1.0',
    provider_schemas: {
      [source]: {
        provider: blockJson(provider),
        resource_schemas: eachJson(resources),
        data_source_schemas: eachJson(dataSources),
      },
    },
  };
}

function eachJson(schemas: { readonly [type: string]: BlockSchema }): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, blockJson(schema)]));
}

function blockJson({ version, description, attributes }: BlockSchema): JsonObject {
  return {
    version,
    block: { attributes: attributesJson(attributes), description, description_kind: 'markdown' },
  };
}

function attributesJson(attributes: Attributes): JsonObject {
  return Object.fromEntries(Object.entries(attributes).map(([name, attribute]) => [name, attributeJson(attribute)]));
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
  const attributes = attributesJson(attribute.attributes);
  const isEmpty = Object.keys(attributes).length === 0; // Terraform leaves out what is empty
  return { nested_type: { ...(isEmpty ? {} : { attributes }), nesting_mode: attribute.nesting } };
}

function flag(name: string, value: boolean | undefined): JsonObject {
  return value === true ? { [name]: true } : {};
}
