import { isArray, isObject, type JsonObject, type JsonValue } from '../../../base/json/json.ts';
import { errorCodes } from '../../../schema/facts/errorCodes.ts';
import type { Kind } from '../../../schema/record/kinds.ts';
import { mostProblems } from '../../http/limits.ts';
import { ref } from './reference.ts';

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

/** The pages of records of one kind. The items of a query are links where it asks for these. */
export function pagesOf(kind: Kind): JsonObject {
  return {
    [`${kind}List`]: listOf(ref(kind)),
    [`${kind}QueryResult`]: resultOf({ anyOf: [ref(kind), { type: 'string', description: 'A link.' }] }),
  };
}

/** Schemas that all kinds share: pages, queries and refusals. */
export const commonSchemas: JsonObject = {
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

/** The schema of a body in which unknown fields are refused. */
function closed(schema: JsonObject): JsonObject {
  const inside = Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, below(keyword, value)]));
  const isOpen = !Object.hasOwn(schema, 'properties') || Object.hasOwn(schema, 'additionalProperties');
  return isOpen ? inside : { ...inside, additionalProperties: false };
}

function below(keyword: string, value: JsonValue): JsonValue {
  if (keyword === 'properties' && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, isObject(each) ? closed(each) : each]),
    );
  }
  if (keyword === 'items' && isObject(value)) return closed(value);
  return keyword === 'oneOf' && isArray(value) ? value.map((each) => (isObject(each) ? closed(each) : each)) : value;
}
