import { isObject, type JsonObject } from '../../../base/json/json.ts';
import { maxBodyBytes, maxBodyValues, maxListItems, maxObjectMembers } from '../../../schema/facts/limits.ts';
import { isKnownKind, type Kind } from '../../../schema/record/kinds.ts';
import { wordsOf } from '../../../schema/record/kindWords.ts';
import { mostQueryPatterns, mostQueryTerms } from '../../http/limits.ts';
import type { Described, RouteBody } from './described.ts';
import { bodyExample } from './exampleBodies.ts';
import { parametersOf } from './parameters.ts';
import { ref } from './reference.ts';
import { refusalsOf } from './refusals.ts';
import { tagOf } from './tags.ts';

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
  list: 'The answer is one page. If there are more records, its link `next` leads to the next page.',
  query:
    'Finds the records that match all, any or none of the terms, as `match` says. Without terms it finds ' +
    'all. The answer is one page.',
  edit:
    'The body is merged into the record: members that you leave out stay as they are, and `null` removes one. ' +
    'Objects are merged; keys such as `$replace/spec`, `$append/args` and `$drop` do otherwise.',
  upsert:
    'Takes the whole record. If there is one with this name, it is replaced (200), otherwise it is created (201).',
  replace: 'Takes the whole record: what you leave out is removed, or gets its default.',
  delete:
    'The answer comes at once, and the record is shown until its deletion is finished. Refused while other ' +
    'records refer to it.',
  create: 'Fields that you leave out get their defaults.',
  addKey: 'Keep the key: only this answer shows it. Use it as a token of this API.',
};

const explanationsOfCommands: Readonly<Record<string, string>> = {
  create: 'A command goes on after the answer. Read it again to see how far it is: `lifecycleStage` says so.',
  cancel: 'A pending command is cancelled at once. A running one is stopped where its type allows it, else refused.',
  delete: 'Removes a command that has ended. One that is pending or running is cancelled instead.',
};

function description(route: Described): string {
  const explained = (isAboutCommands(route) ? explanationsOfCommands : explanations)[operationName(route)];
  return [explained, accessOf(route)].filter((text) => text !== undefined).join('\n\n');
}

function isAboutCommands({ id }: Described): boolean {
  return id.includes('.command.');
}

function operationName({ id }: Described): string {
  return (id.split('.').at(-1) ?? '').replace(/InOrg$/, '');
}

function accessOf(route: Described): string {
  const { permission, tokenElsewhere, kind, devOnly } = route;
  const only = devOnly === true ? ' Only with `gantry serve --dev`.' : '';
  if (permission === 'none') return tokenElsewhere === true ? 'Needs no token on loopback.' : 'Does not need a token.';
  if (permission === 'token') return `Needs any valid token.${only}`;
  if (permission === 'admin') return `Needs the token that the server was started with.${only}`;
  if (kind === undefined) return `Needs the permission \`${permission}\` on the org.${only}`;
  const operation = operationName(route);
  const isFiltered = !isAboutCommands(route) && (operation === 'list' || operation === 'query');
  if (isFiltered)
    return `Only ${wordsOf(kind).many} that you have the permission \`${permission}\` on are in the answer.`;
  return `Needs the permission \`${permission}\` on the ${wordsOf(kind).one}.${only}`;
}

function requestBody(route: Described): JsonObject {
  const { body, kind } = route;
  if (body === undefined) return {};
  const example = bodyExample(route);
  const content = { schema: bodySchema(body, kind), ...(example === undefined ? {} : { example }) };
  const required = body !== 'query';
  return { requestBody: { required, description: limits(route), content: { 'application/json': content } } };
}

/** The limits of a body. */
function limits({ body, mostBodyBytes = maxBodyBytes, id }: Described): string {
  const bytes = `At most ${size(mostBodyBytes)}`;
  if (id === 'snapshot.load')
    return `${bytes}. Send what \`GET /-snapshot?secrets=true\` answered; the example is a small org with one GVC.`;
  const counts =
    `${shown(maxBodyValues)} values in all, ${shown(maxListItems)} items in a list, ${shown(maxObjectMembers)} ` +
    'members in an object';
  const terms = `, ${shown(mostQueryTerms)} terms, ${shown(mostQueryPatterns)} of them regular expressions`;
  return `${bytes}, ${counts}${body === 'query' ? terms : ''}.`;
}

/** Made once: it is slow to make. */
const numbers = new Intl.NumberFormat('en');

function shown(count: number): string {
  return numbers.format(count);
}

function size(bytes: number): string {
  const mebibytes = bytes / 2 ** 20;
  return Number.isInteger(mebibytes) ? `${mebibytes} MiB` : `${shown(bytes)} bytes`;
}

function responses(route: Described): JsonObject {
  const { method, answer, id, statuses } = route;
  const content =
    answer === 'text'
      ? { 'text/plain': { schema: { type: 'string' } } }
      : { 'application/json': { schema: answerSchema(route) } };
  const codes = statuses === undefined ? successCodes(method, id) : statuses.map(String);
  return {
    ...Object.fromEntries(codes.map((code) => [code, { description: successes[code] ?? 'Done', content }])),
    ...refusalsOf(route),
  };
}

const successes: Readonly<Record<string, string>> = { '201': 'Created', '202': 'Accepted: the work goes on' };

/** Lists and queries of the records of a kind, and not of what belongs to one. */
function isOfRecords({ id, kind }: Described): boolean {
  return new RegExp(`^${kind}\\.(?:list|query)(?:InOrg)?$`).test(id);
}

/** The statuses of a success, if the route has none of its own (platform/wire.operations). */
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

function answerSchema(route: Described): JsonObject {
  const { answer, kind } = route;
  const ofKind = isKnownKind(kind) && isOfRecords(route) ? kind : '';
  if (isObject(answer)) return answer;
  switch (answer) {
    case 'record':
      return ref(kind ?? '');
    case 'list':
      return ref(`${ofKind}List`);
    case 'queryresult':
      return ref(`${ofKind}QueryResult`);
    default:
      return { type: 'object' };
  }
}
