import type { TSchema } from 'typebox';
import { isObject, type JsonObject, listAt, mapMembers, objectAt } from '../base/json/json.ts';
import { present } from '../base/json/present.ts';
import { durationPattern } from '../base/text/duration.ts';
import { factsKeyword } from '../schema/facts/define.ts';
import { type CreatableKind, isGvcScoped, type KnownKind } from '../schema/record/kinds.ts';
import { definitionToJson, descriptionsOf, descriptionsOfSecretData } from './describedFields.ts';
import { customRecord, definitionOf, variantsOf } from './shapeOf.ts';

/** JSON Schema 2020-12 as data. */
export type JsonSchema = JsonObject;

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** The JSON Schema of a record in requests: the source of the validators. */
export function recordSchema(kind: KnownKind): JsonSchema {
  return { $schema: dialect, ...withVariants(kind, published(definitionOf(kind)), (_, variant) => published(variant)) };
}

/** The JSON Schema of any custom kind: the fields of every record, and anything else. */
export function customRecordSchema(): JsonSchema {
  return { $schema: dialect, ...published(customRecord) };
}

const text = { type: 'string' };
const time = { type: 'string', format: 'date-time' };
const link = {
  type: 'object',
  properties: { rel: { ...text, description: 'What it leads to.' }, href: { ...text, description: 'The address.' } },
  required: ['rel', 'href'],
};

/** The fields that only the platform writes, by name; requests are not checked against them. */
const shownTypes: JsonSchema = {
  ...{ id: text, kind: text, version: { type: 'integer' }, created: time, lastModified: time, origin: text, gvc: text },
  ...{ links: { type: 'array', items: link }, status: { type: 'object' }, health: { type: 'object' } },
  ...{ alias: text, region: text, context: text, repository: text, tag: text, digest: text },
  ...{ manifest: { type: 'object' }, unit: text, current: { type: 'number' } },
  dimensions: { type: 'array', items: { type: 'object' } },
};

function documentedKind(kind: KnownKind): JsonSchema {
  return documented(published(definitionOf(kind)), '', descriptionsOf(kind));
}

/** The JSON Schema of a record in responses, with descriptions for readers of the API. */
export function documentedRecordSchema(kind: KnownKind): JsonSchema {
  const schema: JsonSchema = { $schema: dialect, ...withVariants(kind, documentedKind(kind), documentedData) };
  return mapInside(schema, shownTyped);
}

function shownTyped(schema: JsonSchema, name: string): JsonSchema {
  const typed = mapInside(schema, shownTyped);
  return typed['readOnly'] === true ? { ...objectAt(shownTypes, name), ...typed } : typed;
}

/** The JSON Schema of a manifest, for editors: a record with its kind, and instructions to Gantry. */
export function manifestSchema(kind: CreatableKind): JsonSchema {
  const record = withVariants(kind, documentedKind(kind), (type, variant) => orOutside(documentedData(type, variant)));
  const gvc = { type: 'string', description: 'The GVC that it lives in; --gvc, when omitted.' };
  return {
    $schema: dialect,
    $id: `https://gantry.local/schemas/${kind}.json`,
    title: kind,
    ...record,
    ...present({ $defs: variantsOf(kind) === undefined ? undefined : { outside } }),
    required: ['kind', ...listAt(record, 'required')],
    properties: {
      ...objectAt(record, 'properties'),
      $schema: { type: 'string', description: 'For editors; it is never sent.' },
      kind: { const: kind, description: 'The kind of resource.' },
      ...(isGvcScoped(kind) ? { gvc } : {}),
      lifecycle,
    },
  };
}

const flag = (description: string): JsonSchema => ({ type: 'boolean', description });
const texts = (description: string): JsonSchema => ({ type: 'array', items: { type: 'string' }, description });

/** Instructions to Gantry, which are never sent. */
const lifecycle: JsonSchema = {
  type: 'object',
  description: 'Instructions to Gantry about this resource; they are never sent.',
  additionalProperties: false,
  properties: {
    protect: flag(
      'Refuses deletion by every client, through the tag scheme/protected of the platform; only false lifts it.',
    ),
    retain: flag('When no longer declared: forget it instead of deleting it.'),
    adopt: {
      description: 'Take over a live resource that belongs to no stack; {from: STACK}: one of this stack.',
      anyOf: [
        { type: 'boolean' },
        {
          type: 'object',
          required: ['from'],
          additionalProperties: false,
          properties: { from: { type: 'string', description: 'The tag gantry/stack that it carries now.' } },
        },
      ],
    },
    handOver: {
      type: 'string',
      description: 'The name of a stack: let go of it without deleting it, so that this stack can adopt it.',
    },
    previously: { type: 'string', description: 'The name that it had before: it is renamed, not deleted and created.' },
    part: flag('Own only the list items and map keys declared here, in a resource that belongs to another owner.'),
    replace: flag('Permits replacing a resource that stores data.'),
    wait: flag(
      'Apply waits until it is ready, even if it is unchanged, and what depends on it waits too; false: never.',
    ),
    waitTimeout: {
      type: 'string',
      pattern: durationPattern,
      description: 'How long that may take: 30s, 5m, 1h. Default: --wait-timeout.',
    },
    ignore: texts('Paths whose value is used on create and never again, such as spec.containers.main.image.'),
    untyped: texts('Paths that the schema does not know and that are set anyway.'),
    sensitive: texts('Paths whose value is shown nowhere, as those of secrets (constructs: sensitive(value)).'),
    dependsOn: texts(
      'Ids, such as workload/shop/web, of what must exist first, in addition to what the references imply.',
    ),
  },
};

/**
 * Adds a condition for each variant, such as the `data` of a secret, so that only the matching one reports problems.
 */
function withVariants(
  kind: KnownKind,
  schema: JsonSchema,
  shown: (value: string, definition: TSchema) => JsonSchema,
): JsonSchema {
  const variant = variantsOf(kind);
  if (variant === undefined) return schema;
  const allOf = Object.entries(variant.definitions).map(([value, definition]) => ({
    if: { properties: { [variant.by]: { const: value } }, required: [variant.by] },
    then: { properties: { [variant.field]: shown(value, definition) } },
  }));
  return { ...schema, allOf };
}

function documentedData(secretType: string, definition: TSchema): JsonSchema {
  return documented(published(definition), '', descriptionsOfSecretData(secretType));
}

/** The reference that a manifest may contain instead of a secret text. */
const outside: JsonSchema = {
  type: 'object',
  description: 'Where the value is read from: an environment variable, a file, or a command.',
  minProperties: 1,
  additionalProperties: false,
  properties: {
    fromEnv: { type: 'string', description: 'The name of an environment variable.' },
    fromFile: { type: 'string', description: 'The path of a file, relative to the manifest.' },
    fromCommand: { ...texts('A program and its arguments, where gantry.yaml allows it.'), minItems: 1 },
    base64: flag('The bytes in base64, instead of the text.'),
  },
};

/** Allows a source wherever the schema expects text. */
function orOutside(schema: JsonSchema): JsonSchema {
  if (schema['type'] !== 'string') return mapInside(schema, orOutside);
  return Object.hasOwn(schema, 'enum') ? schema : { anyOf: [schema, { $ref: '#/$defs/outside' }] };
}

/** The definition without our own keyword: its default becomes `default`, its read-only mark `readOnly`. */
function published(node: TSchema): JsonSchema {
  return publishedNode(definitionToJson(node));
}

function publishedNode({ [factsKeyword]: facts = {}, ...node }: JsonSchema): JsonSchema {
  const { default: value, fill, responseOnly } = isObject(facts) ? facts : {};
  return {
    ...mapInside(node, publishedNode),
    ...present({ default: value === undefined || fill === 'service' ? undefined : value }),
    ...(responseOnly === true ? { readOnly: true } : {}),
  };
}

/** Changes the nested schemas. */
function mapInside(schema: JsonSchema, change: (inside: JsonSchema, name: string) => JsonSchema): JsonSchema {
  return mapMembers(schema, (value, keyword) => {
    if (!isObject(value)) return value;
    if (keyword === 'properties')
      return mapMembers(value, (field, name) => (isObject(field) ? change(field, name) : field));
    return keyword === 'items' || keyword === 'additionalProperties' ? change(value, '*') : value;
  });
}

/** Adds the description of each path. */
function documented(schema: JsonSchema, path: string, descriptions: ReadonlyMap<string, string>): JsonSchema {
  const description = descriptions.get(path);
  return {
    ...mapInside(schema, (inside, name) => documented(inside, path === '' ? name : `${path}.${name}`, descriptions)),
    ...present({ description }),
  };
}
