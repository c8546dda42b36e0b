import { maxBodyBytes, maxBodyValues, maxListItems, maxObjectMembers } from '../../../schema/decisions.ts';
import { errorCodes } from '../../../schema/errorCodes.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../schema/json.ts';
import { recordSchema } from '../../../schema/jsonSchema.ts';
import type { Kind } from '../../../schema/kinds.ts';
import type { Route, RouteAnswer, RouteBody } from '../../routes/route.ts';
import { mostProblems, mostQueryPatterns, mostQueryTerms } from '../../decisions.ts';
import { patchSchema } from './patchSchema.ts';

/** What the description needs to know of a route. */
export type Described = Omit<Route, 'handle'>;

/** The API as an OpenAPI 3.1 document, from the same routes and schemas that serve it. `url`: where it answers. */
export function openApiDocument(routes: readonly Described[], url: string): JsonObject {
  const kinds = [...new Set(routes.flatMap(({ kind }) => kind ?? []))].toSorted();
  return {
    openapi: '3.1.0',
    info: { title: 'Workload platform', version: '1', description: 'Resources of a workload platform, by REST.' },
    servers: [{ url }],
    security: [{ token: [] }],
    tags: ['service', ...kinds].map((name) => ({ name })),
    paths: paths(routes),
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A key of a service account, or a configured token.' },
      },
      responses: { Refused: { description: 'Refused', content: json(ref('Error')) } },
      schemas: { ...kindSchemas(kinds), ...commonSchemas },
    },
  };
}

function paths(routes: readonly Described[]): JsonObject {
  const byPath = new Map<string, Record<string, JsonValue>>();
  for (const route of routes) {
    const operations = byPath.get(route.path) ?? {};
    operations[route.method.toLowerCase()] = operation(route);
    byPath.set(route.path, operations);
  }
  return Object.fromEntries(byPath);
}

function operation(route: Described): JsonObject {
  const { id, summary, kind, permission, body, answer, path, query = [] } = route;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const inPath = names.map((name): JsonObject => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  const ofPages = answer === 'list' || answer === 'queryresult' ? pageParameters : [];
  const own = query.map(({ name, description }) => ({ name, in: 'query', description, schema: { type: 'string' } }));
  const parameters = [...inPath, ...ofPages, ...own];
  return {
    operationId: id,
    summary,
    tags: [kind ?? 'service'],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body !== 'query',
            description: limits(route),
            content: json(bodySchema(body, kind)),
          },
        }),
    responses: responses(route),
    ...(permission === 'none' ? { security: [] } : { 'x-permission': permission }),
  };
}

/** What a body may hold at most. */
function limits({ body, mostBodyBytes = maxBodyBytes, id }: Described): string {
  const bytes = `At most ${mostBodyBytes} bytes`;
  if (id === 'snapshot.load') return `${bytes}.`;
  const counts = `${maxBodyValues} values in all, ${maxListItems} items a list, ${maxObjectMembers} members an object`;
  const terms = `, ${mostQueryTerms} terms, ${mostQueryPatterns} of them regular expressions`;
  return `${bytes}, ${counts}${body === 'query' ? terms : ''}.`;
}

const pageParameters: readonly JsonObject[] = [
  {
    name: 'limit',
    in: 'query',
    description: 'Records of a page',
    schema: { type: 'integer', minimum: 1, maximum: 1000, default: 50 },
  },
  { name: 'next', in: 'query', description: 'Of the link to the next page', schema: { type: 'string' } },
];

function responses({ method, answer, id, kind, statuses }: Described): JsonObject {
  const content =
    answer === 'text' ? { 'text/plain': { schema: { type: 'string' } } } : json(answerSchema(answer, kind));
  const done = { description: 'Done', content };
  const codes = statuses === undefined ? successCodes(method, id) : statuses.map(String);
  return {
    ...Object.fromEntries(codes.map((code) => [code, done])),
    default: { $ref: '#/components/responses/Refused' },
  };
}

/** Protocol 3.1. */
function successCodes(method: string, id: string): readonly string[] {
  const operation = id.split('.').at(-1);
  if (operation === 'upsert' || operation === 'replace') return ['200', '201'];
  if (operation === 'create' || operation === 'addKey' || operation === 'command') return ['201'];
  return method === 'DELETE' ? ['200', '202'] : ['200'];
}

function bodySchema(body: RouteBody, kind: Kind | undefined): JsonObject {
  if (isObject(body)) return body;
  if (body === 'query') return ref('Query');
  return ref(body === 'patch' ? `${kind ?? ''}Patch` : (kind ?? ''));
}

function answerSchema(answer: RouteAnswer, kind: Kind | undefined): JsonObject {
  if (isObject(answer)) return answer;
  switch (answer) {
    case 'record':
      return ref(kind ?? '');
    case 'list':
      return ref('List');
    case 'queryresult':
      return ref('QueryResult');
    default:
      return { type: 'object' };
  }
}

function kindSchemas(kinds: readonly Kind[]): JsonObject {
  return Object.fromEntries(
    kinds.flatMap((kind) => {
      const schema = plain(recordSchema(kind));
      return [
        [kind, schema],
        [`${kind}Patch`, patchSchema(schema)],
      ];
    }),
  );
}

/** As plain JSON, without the name of the dialect: the document says it once. */
function plain(schema: object): JsonObject {
  const { $schema: _, ...rest }: Record<string, JsonValue> = JSON.parse(JSON.stringify(schema));
  return rest;
}

function json(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}

function ref(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

const links: JsonObject = {
  type: 'array',
  items: {
    type: 'object',
    properties: { rel: { type: 'string' }, href: { type: 'string' } },
    required: ['rel', 'href'],
  },
};

const page: JsonObject = { itemKind: { type: 'string' }, items: { type: 'array', items: {} }, links };

const commonSchemas: JsonObject = {
  Error: {
    type: 'object',
    description: 'The body of every refusal.',
    properties: {
      status: { type: 'integer' },
      message: { type: 'string' },
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
          problems: { type: 'array', items: ref('Problem'), maxItems: mostProblems },
          more: { type: 'boolean', description: 'True: there are more problems than these.' },
        },
        description: 'What is wrong, one by one, and what else helps.',
      },
      id: { type: 'string' },
    },
    required: ['status', 'message', 'code', 'id'],
  },
  Problem: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'The place in the body; empty for the whole.' },
      message: { type: 'string' },
      rule: { type: 'string', description: 'The rule that is broken, as `gantry rules` lists it.' },
    },
    required: ['path', 'message', 'rule'],
  },
  List: { type: 'object', properties: { kind: { const: 'list' }, ...page }, required: ['kind', 'items', 'links'] },
  QueryResult: {
    type: 'object',
    properties: { kind: { const: 'queryresult' }, ...page, query: ref('Query') },
    required: ['kind', 'items', 'links'],
  },
  Query: {
    type: 'object',
    properties: {
      kind: { type: 'string' },
      fetch: { type: 'string', enum: ['items', 'links'] },
      spec: {
        type: 'object',
        properties: {
          match: { type: 'string', enum: ['all', 'any', 'none'], default: 'all' },
          terms: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                op: { type: 'string', default: '=' },
                property: { type: 'string' },
                rel: { type: 'string' },
                tag: { type: 'string' },
                value: {},
              },
            },
          },
          sort: {
            type: 'object',
            properties: { by: { type: 'string' }, order: { type: 'string', enum: ['asc', 'desc'], default: 'asc' } },
          },
        },
      },
    },
  },
};
