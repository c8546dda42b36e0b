import { isArray, isObject, type JsonObject, type JsonValue, mapMembers, own } from '../../../base/json/json.ts';
import { documentedRecordSchema } from '../../../kinds/jsonSchema.ts';
import { aKind, wordsOf } from '../../../kinds/kindWords.ts';
import { errorCodes } from '../../../schema/facts/errorCodes.ts';
import { isKnownKind, type Kind, type KnownKind } from '../../../schema/record/kinds.ts';
import { mostProblems } from '../../http/limits.ts';
import type { Described } from './described.ts';
import { operationOf, ref, refusals } from './operation.ts';
import { inReadingOrder, usedTags } from './tags.ts';

/** The introduction of the document, as Markdown. */
const about = `Create, change and watch the resources of a workload platform over HTTP and JSON.

- **Token**: every request carries \`authorization: Bearer TOKEN\`.
- **Records** have a kind and a name. A link such as \`/org/local/gvc/shop\` names a record;
  \`//gvc/shop\` is short for one in the same org.
- **Pages**: a list answers with up to \`limit\` records. If there are more, its link \`next\` leads to them.
- **Errors** have a stable \`code\`. \`details.problems\` lists what is wrong, each with its place and its rule.
- **Versions**: send the \`version\` that you have read with your change. If somebody else
  changed the record since then, the answer is 409 and nothing is changed.
`;

/**
 * The API as an OpenAPI 3.1 document, made from the routes and schemas of this server. Making it takes tens of
 * milliseconds, so other requests are answered between the steps.
 */
export function* openApiSteps(routes: readonly Described[]): Generator<undefined, JsonObject> {
  const kinds = [...new Set(routes.flatMap(({ kind }) => (isKnownKind(kind) ? kind : [])))].toSorted();
  const paths = yield* pathSteps(inReadingOrder(routes));
  const schemas = yield* schemaSteps(kinds);
  return {
    openapi: '3.1.0',
    info: { title: 'Workload platform', version: '1', description: about },
    // Relative to the address of the document.
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    tags: usedTags(routes),
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token that the server was started with, or a key of a service account.',
        },
      },
      responses: refusals,
      schemas: { ...schemas, ...writtenCommonSchemas },
    },
  };
}

function* pathSteps(routes: readonly Described[]): Generator<undefined, JsonObject> {
  const byPath = new Map<string, Record<string, JsonValue>>();
  for (const route of routes) {
    const operations = byPath.get(route.path) ?? {};
    operations[route.method.toLowerCase()] = operationOf(route);
    byPath.set(route.path, operations);
    yield;
  }
  return Object.fromEntries(byPath);
}

function* schemaSteps(kinds: readonly KnownKind[]): Generator<undefined, JsonObject> {
  const schemas: Record<string, JsonValue> = {};
  for (const kind of kinds) {
    const schema = { ...plain(documentedRecordSchema(kind)), description: wordsOf(kind).about };
    schemas[kind] = writtenDefaults(schema);
    Object.assign(schemas, pagesOf(kind));
    yield;
    const changes = `The fields of ${aKind(kind)} to change; those that you leave out stay as they are.`;
    schemas[`${kind}Patch`] = { ...withoutDefaults(patchSchema(schema)), description: changes };
    yield;
  }
  return schemas;
}

/** Keywords whose value is a map of schemas by name. */
const maps: ReadonlySet<string> = new Set(['properties', 'patternProperties']);
const lists: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);
const single: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'if', 'then']);

function text(description: string): JsonObject {
  return { type: 'string', description };
}

const links: JsonObject = {
  type: 'array',
  items: {
    type: 'object',
    properties: { rel: text('What it leads to, such as `next`.'), href: text('The address.') },
    required: ['rel', 'href'],
  },
  description: 'The address of this page, and of the next one if there is one.',
};

function pageOf(items: JsonObject): JsonObject {
  return {
    itemKind: text('The kind of the items.'),
    items: { type: 'array', items, description: 'What is on this page.' },
    links,
  };
}

function listOf(items: JsonObject): JsonObject {
  return {
    type: 'object',
    properties: { kind: { type: 'string', const: 'list', description: 'Always `list`.' }, ...pageOf(items) },
    required: ['kind', 'items', 'links'],
  };
}

function resultOf(items: JsonObject): JsonObject {
  return {
    type: 'object',
    properties: {
      kind: { type: 'string', const: 'queryresult', description: 'Always `queryresult`.' },
      ...pageOf(items),
      query: ref('Query'),
    },
    required: ['kind', 'items', 'links'],
  };
}

/** The pages of records of one kind. The items of a query are links if it requests them. */
function pagesOf(kind: Kind): JsonObject {
  return {
    [`${kind}List`]: listOf(ref(kind)),
    [`${kind}QueryResult`]: resultOf({ anyOf: [ref(kind), { type: 'string', description: 'A link.' }] }),
  };
}

/** Schemas shared by all kinds: pages, queries and refusals. */
const commonSchemas: JsonObject = {
  Error: {
    type: 'object',
    description: 'The body of every refusal.',
    properties: {
      status: { type: 'integer', description: 'The status of the answer.' },
      message: text('What is wrong, for people.'),
      code: {
        type: 'string',
        enum: Object.keys(errorCodes),
        description: Object.entries(errorCodes)
          .map(([code, { status, title }]) => `${code} (${status}): ${title}`)
          .join('\n'),
      },
      details: {
        type: 'object',
        properties: {
          problems: {
            type: 'array',
            items: ref('Problem'),
            maxItems: mostProblems,
            description: 'Each with its place.',
          },
          more: { type: 'boolean', description: 'True: there are more problems than these.' },
        },
        description: 'What is wrong, one by one, and what else helps.',
      },
      id: text('Of the request, as in the header `x-request-id`, the log and the audit trail.'),
    },
    required: ['status', 'message', 'code', 'id'],
  },
  Problem: {
    type: 'object',
    properties: {
      path: text('The place in the body; empty for the whole.'),
      message: text('What is wrong there.'),
      rule: text('The rule that is broken, as `gantry rules` lists it.'),
      hint: text('What to do about it, where that is known.'),
    },
    required: ['path', 'message', 'rule'],
  },
  List: listOf({ type: 'object' }),
  QueryResult: resultOf({ type: 'object' }),
  Query: closed({
    type: 'object',
    description: 'Which records to find, and in which order.',
    properties: {
      kind: text('The kind of the records; it follows from the path.'),
      context: { description: 'Of a query that was stored; it is ignored.' },
      fetch: { type: 'string', enum: ['items', 'links'], description: 'Whether to answer with records or with links.' },
      spec: {
        type: 'object',
        description: 'The terms and the order.',
        properties: {
          match: {
            type: 'string',
            enum: ['all', 'any', 'none'],
            default: 'all',
            description: 'How many of the terms have to match.',
          },
          terms: {
            type: 'array',
            description: 'Each is about a property, a tag or a relation.',
            items: {
              type: 'object',
              properties: {
                op: { ...text('How to compare, such as `=`, `!=`, `>`, `<`, `~` or `exists`.'), default: '=' },
                property: text('The path of a property, such as `name` or `spec.type`.'),
                rel: text('A relation, such as `gvc`.'),
                tag: text('The key of a tag.'),
                value: { description: 'What to compare with.' },
              },
            },
          },
          sort: {
            type: 'object',
            description: 'The order of the answer.',
            properties: {
              by: text('The path of a property.'),
              order: { type: 'string', enum: ['asc', 'desc'], default: 'asc', description: 'Ascending or descending.' },
            },
          },
        },
      },
    },
  }),
};

/** The schema of a body whose unknown fields are refused. */
function closed(schema: JsonObject): JsonObject {
  const inside = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, schemaBelow(keyword, value)]),
  );
  const isOpen = !Object.hasOwn(schema, 'properties') || Object.hasOwn(schema, 'additionalProperties');
  return isOpen ? inside : { ...inside, additionalProperties: false };
}

function schemaBelow(keyword: string, value: JsonValue): JsonValue {
  if (keyword === 'properties' && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, isObject(each) ? closed(each) : each]),
    );
  }
  if (keyword === 'items' && isObject(value)) return closed(value);
  return keyword === 'oneOf' && isArray(value) ? value.map((each) => (isObject(each) ? closed(each) : each)) : value;
}

const writtenCommonSchemas: JsonObject = mapMembers(commonSchemas, (schema) =>
  isObject(schema) ? writtenDefaults(schema) : schema,
);

/** The schema as plain JSON, without `$schema`, which the document has once. */
function plain(schema: object): JsonObject {
  const { $schema: _, ...rest }: Record<string, JsonValue> = JSON.parse(JSON.stringify(schema));
  return rest;
}

const directives: JsonObject = {
  '^\\$drop$': { type: 'array', items: { type: 'string' } },
  '^\\$(replace|append|patch)/': {},
  '^\\$(drop|retain)/': { type: 'array', items: { type: 'string' } },
};

/**
 * The schema of a patch for this schema (platform/patch.directives): nothing is required, every value may be `null`,
 * and any object may contain directives. Limits remain, because the result must satisfy them.
 */
function patchSchema(schema: JsonObject): JsonObject {
  const {
    required: _,
    allOf: __,
    ...kept
  } = Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, patchKeyword(keyword, value)]));
  if (own(schema, 'type') !== 'object') return kept;
  const patterns = own(kept, 'patternProperties');
  return { ...kept, patternProperties: { ...(isObject(patterns) ? patterns : {}), ...directives } };
}

function patchKeyword(keyword: string, value: JsonValue): JsonValue {
  if (keyword === 'type' && typeof value === 'string' && value !== 'object') return [value, 'null'];
  if (maps.has(keyword) && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, nullableSchema(child)]));
  }
  return keyword === 'items' ? nullableSchema(value) : value;
}

function nullableSchema(schema: JsonValue): JsonValue {
  if (!isObject(schema)) return schema;
  const choices = own(schema, 'enum');
  const nullable = isArray(choices) ? { ...schema, enum: [...choices, null] } : schema;
  return patchSchema(nullable);
}

/**
 * The schema with its defaults in words, and as `x-default` for programs. Generators of clients assume that a member
 * with `default` always exists, and then require it in requests, where it may be omitted.
 */
function writtenDefaults(schema: JsonObject): JsonObject {
  const inside = without(schema, writtenDefaults);
  const value = own(schema, 'default');
  if (value === undefined) return inside;
  const description = own(schema, 'description');
  const said = typeof description === 'string' ? `${description} ` : '';
  return { ...inside, description: `${said}Default: \`${JSON.stringify(value)}\`.`, 'x-default': value };
}

/** The schema of a patch without defaults, because members omitted from a patch do not change. */
function withoutDefaults(schema: JsonObject): JsonObject {
  return without(schema, withoutDefaults);
}

function without(schema: JsonObject, change: (schema: JsonObject) => JsonObject): JsonObject {
  const each = (member: JsonValue) => (isObject(member) ? change(member) : member);
  const inside: Record<string, JsonValue> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'default') continue;
    if (maps.has(keyword) && isObject(value)) {
      inside[keyword] = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, each(member)]));
    } else if (lists.has(keyword) && isArray(value)) inside[keyword] = value.map(each);
    else inside[keyword] = single.has(keyword) ? each(value) : value;
  }
  return inside;
}
