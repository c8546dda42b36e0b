import { maxBodyBytes, maxBodyValues, maxListItems, maxObjectMembers } from '../../../schema/decisions.ts';
import { isObject, type JsonObject } from '../../../schema/json.ts';
import type { Kind } from '../../../schema/kinds.ts';
import { mostQueryPatterns, mostQueryTerms } from '../../decisions.ts';
import type { RouteAnswer, RouteBody } from '../../routes/route.ts';
import type { Described } from './described.ts';
import { bodyExample } from './examples/bodies.ts';
import { parametersOf } from './parameters.ts';
import { ref } from './reference.ts';
import { refusalsOf } from './refusals.ts';
import { tagOf } from './tags.ts';
import { wordsOf } from './kindWords.ts';

/** One operation of the document. */
export function operationOf(route: Described): JsonObject {
  const { id, summary, permission } = route;
  const parameters = parametersOf(route);
  return {
    operationId: id,
    summary,
    description: description(route),
    tags: [tagOf(route)],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBody(route),
    responses: responses(route),
    ...(permission === 'none' ? { security: [] } : { 'x-permission': permission }),
  };
}

/** By the last part of the id. */
const explanations: Readonly<Record<string, string>> = {
  list: 'The answer is one page. Its link `next`, where there is one, leads to the next page.',
  query:
    'A record is in the answer when it matches all, any or none of the terms, as `match` says. Without terms: all.',
  edit: 'The body is merged into the record: a member that is absent stays as it is, and `null` removes it. Keys such as `$replace/spec` and `$drop` say how lists and objects are merged.',
  upsert:
    'Takes the whole record. Where the name is taken, the record of this name is replaced (200), else it is created (201).',
  replace: 'Takes the whole record: what it leaves out is removed, or gets its default.',
  delete:
    'The answer comes at once. The record is shown until its deletion is finished. Refused while other records refer to it.',
  create: 'Fields that are left out get their defaults.',
  addKey: 'Keep the key: it is in this answer only. It is a token of this API.',
};

function description(route: Described): string {
  const operation = (route.id.split('.').at(-1) ?? '').replace(/InOrg$/, '');
  const ofRecord =
    route.body === 'record' || route.body === 'patch' || route.body === 'query' || route.body === undefined;
  const explained = ofRecord && !route.id.includes('.command.') ? explanations[operation] : undefined;
  return [explained, accessOf(route)].filter((text) => text !== undefined).join('\n\n');
}

function accessOf({ permission, tokenElsewhere, kind, devOnly }: Described): string {
  const only = devOnly === true ? ' Only with `gantry serve --dev`.' : '';
  if (permission === 'none')
    return tokenElsewhere === true ? 'Needs no token on loopback.' : 'Everybody may ask: no token is needed.';
  if (permission === 'token') return `Needs any valid token.${only}`;
  if (permission === 'admin') return `Needs the token that the server was started with.${only}`;
  return `Needs the permission \`${permission}\`${kind === undefined ? '' : ` on the ${wordsOf(kind).one}`}.${only}`;
}

function requestBody(route: Described): JsonObject {
  const { body, kind } = route;
  if (body === undefined) return {};
  const example = bodyExample(route);
  const content = { schema: bodySchema(body, kind), ...(example === undefined ? {} : { example }) };
  const required = body !== 'query';
  return { requestBody: { required, description: limits(route), content: { 'application/json': content } } };
}

/** What a body may hold at most. */
function limits({ body, mostBodyBytes = maxBodyBytes, id }: Described): string {
  const bytes = `At most ${mostBodyBytes} bytes`;
  if (id === 'snapshot.load')
    return `${bytes}. Send what \`GET /-snapshot?secrets=true\` answered; the example is a small org with one GVC.`;
  const counts = `${maxBodyValues} values in all, ${maxListItems} items a list, ${maxObjectMembers} members an object`;
  const terms = `, ${mostQueryTerms} terms, ${mostQueryPatterns} of them regular expressions`;
  return `${bytes}, ${counts}${body === 'query' ? terms : ''}.`;
}

function responses(route: Described): JsonObject {
  const { method, answer, id, kind, statuses } = route;
  const content =
    answer === 'text'
      ? { 'text/plain': { schema: { type: 'string' } } }
      : { 'application/json': { schema: answerSchema(answer, kind) } };
  const codes = statuses === undefined ? successCodes(method, id) : statuses.map(String);
  return {
    ...Object.fromEntries(codes.map((code) => [code, { description: successes[code] ?? 'Done', content }])),
    ...refusalsOf(route),
  };
}

const successes: Readonly<Record<string, string>> = { '201': 'Created', '202': 'Accepted: the work goes on' };

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
