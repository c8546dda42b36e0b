import { isObject, type JsonObject, stringAt } from '../../../base/json/json.ts';
import { compact, present } from '../../../base/json/present.ts';
import { exampleOf } from '../../../kinds/allTypes.ts';
import { isNamedByEmail } from '../../../kinds/kindFacts.ts';
import { aKind, wordsOf } from '../../../kinds/kindWords.ts';
import { errorCodes } from '../../../schema/facts/errorCodes.ts';
import { maxBodyBytes, maxBodyValues, maxListItems, maxObjectMembers } from '../../../schema/facts/limits.ts';
import { isKnownKind, type Kind } from '../../../schema/record/kinds.ts';
import { bootstrapUser, localAccount, mostQueryPatterns, mostQueryTerms } from '../../http/limits.ts';
import { type Described, type RouteAnswer, type RouteBody, type TextAnswer, takesDryRun } from './described.ts';
import { tagOf } from './tags.ts';

const atMs = Date.UTC(2026, 0, 1);

function row(
  kind: string,
  uid: string,
  record: JsonObject & { readonly name: string },
  targets: readonly JsonObject[],
) {
  const times = { version: 1, createdMs: atMs, modifiedMs: atMs };
  return { kind, gvc: '', name: record.name, uid, ...times, record: { tags: {}, ...record }, targets };
}

const admin: JsonObject = { kind: 'user', name: bootstrapUser };
const superusers: JsonObject = { kind: 'group', name: 'superusers' };

/** A small org to load, whose user has all permissions on GVCs. */
const snapshotExample: JsonObject = {
  format: 1,
  orgs: {
    local: {
      facts: { created: new Date(atMs).toISOString(), orgId: '1b671a64-40d5-491e-99b0-da01ff1f3341' },
      records: [
        row('org', '1b671a64-40d5-491e-99b0-da01ff1f3341', { name: 'local', spec: {} }, []),
        row('user', '2c782b75-51e6-4a2f-8ac1-eb12ff2a4452', { name: bootstrapUser, email: bootstrapUser }, []),
        row(
          'group',
          '3d893c86-62f7-4b3a-9bd2-fc23ff3b5563',
          { name: 'superusers', memberLinks: [`/org/local/user/${bootstrapUser}`] },
          [admin],
        ),
        row(
          'policy',
          '4e9a4d97-7308-4c4b-8ce3-0d34ff4c6674',
          {
            name: 'superusers-gvc',
            targetKind: 'gvc',
            target: 'all',
            bindings: [{ permissions: ['manage'], principalLinks: ['/org/local/group/superusers'] }],
          },
          [superusers],
        ),
        row('gvc', '5fab5ea8-8419-4d5c-9df4-1e45ff5d7785', { name: 'shop', spec: {} }, []),
      ],
    },
  },
};

/** Bodies that are not records, by operation. */
const bodyExamples: Readonly<Record<string, JsonObject>> = {
  'org.createInAccount': {
    org: { name: 'third', description: 'An org of another team' },
    invitees: ['ann@example.com'],
  },
  'org.create': { name: 'second', description: 'Another org' },
  'org.command.create': { type: 'echo', spec: { seconds: 1 } },
  'workload.command.create': { type: 'stopReplica', spec: { location: 'aws-eu-central-1', replica: 'web-0' } },
  'volumeset.command.create': {
    type: 'createVolumeSnapshot',
    spec: { location: 'aws-eu-central-1', volumeIndex: 0, snapshotName: 'before-release' },
  },
  'audit.write': {
    resource: { id: 'release-42', type: 'release', name: 'web 42', data: { commit: '4f2a9c1' } },
    action: { type: 'create' },
    result: { status: 'success' },
  },
  'domain.simulateDns': { txt: [{ host: '_platform.example.com', value: 'the-proof' }] },
  'domain.simulate': { dns: 'resolved', certificate: 'issued' },
  'serviceaccount.addKey': { description: 'The key of the release pipeline' },
  'user.invite': { emails: ['ann@example.com'], groupLink: '//group/viewers' },
  'task.simulate': { targetEmail: 'ann@example.com', description: 'Join the org' },
  'image.simulate': { name: 'web:1' },
  'workload.simulate': { load: 250 },
  'volumeset.simulate': { usedGb: 6, gbPerHour: 0.5 },
  'clock.advance': { advance: '36h' },
  'faults.set': { seed: 'one', faults: [] },
  'snapshot.load': snapshotExample,
};

/** For records of any kind. */
const patchExample: JsonObject = { description: 'Looked after by the team of the shop', tags: { team: 'shop' } };

const queryExample: JsonObject = {
  spec: { match: 'all', terms: [{ tag: 'team', op: '=', value: 'shop' }], sort: { by: 'name', order: 'asc' } },
};

/** An example body of the operation; undefined if it has no body. */
export function bodyExample({ id, body, kind }: Described): JsonObject | undefined {
  if (body === undefined) return undefined;
  const own = bodyExamples[id];
  if (own !== undefined) return own;
  if (body === 'query') return queryExample;
  if (body === 'patch') return patchExample;
  if (body === 'record') return exampleOf(kind);
  if (id.endsWith('.command.cancel')) return { lifecycleStage: 'cancellation-requested' };
  return id.startsWith('task.answer') ? { answer: 'accept' } : undefined;
}

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

/** By the last part of the operation's id. */
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
  return compact([explained, accessOf(route)]).join('\n\n');
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
    return `Only ${wordsOf(kind).plural} that you have the permission \`${permission}\` on are in the answer.`;
  return `Needs the permission \`${permission}\` on the ${wordsOf(kind).singular}.${only}`;
}

function requestBody(route: Described): JsonObject {
  const { body, kind } = route;
  if (body === undefined) return {};
  const example = bodyExample(route);
  const content = { schema: bodySchema(body, kind), ...present({ example }) };
  const required = body !== 'query';
  return { requestBody: { required, description: limits(route), content: { 'application/json': content } } };
}

/** The limits of a body, in words. */
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

/** Created once, because that is slow. */
const numbers = new Intl.NumberFormat('en');

function shown(count: number): string {
  return numbers.format(count);
}

function size(bytes: number): string {
  const mebibytes = bytes / 2 ** 20;
  return Number.isInteger(mebibytes) ? `${mebibytes} MiB` : `${shown(bytes)} bytes`;
}

const textTypes: Readonly<Record<TextAnswer, readonly string[]>> = {
  text: ['text/plain'],
  page: ['text/html'],
  pageFile: ['text/javascript', 'text/css'],
};

function isText(answer: RouteAnswer): answer is TextAnswer {
  return typeof answer === 'string' && Object.hasOwn(textTypes, answer);
}

function responses(route: Described): JsonObject {
  const { method, answer, id, statuses } = route;
  const content = isText(answer)
    ? Object.fromEntries(textTypes[answer].map((type) => [type, { schema: { type: 'string' } }]))
    : { 'application/json': { schema: answerSchema(route) } };
  const codes = statuses === undefined ? successCodes(method, id) : statuses.map(String);
  return {
    ...Object.fromEntries(codes.map((code) => [code, { description: successes[code] ?? 'Done', content }])),
    ...refusalsOf(route),
  };
}

const successes: Readonly<Record<string, string>> = { '201': 'Created', '202': 'Accepted: the work goes on' };

/** Whether the operation lists or queries records of a kind, and not things that belong to a record. */
function isOfRecords({ id, kind }: Described): boolean {
  return new RegExp(`^${kind}\\.(?:list|query)(?:InOrg)?$`).test(id);
}

/** The default statuses of a success (platform/wire.operations). */
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

interface Words {
  readonly description: string;
  readonly example?: string | undefined;
}

const pathParameters: Readonly<Record<string, Words>> = {
  account: { description: 'The id of the billing account.', example: localAccount },
  ctx: { description: 'The name of an audit context.', example: 'releases' },
  email: { description: 'An e-mail address.', example: 'ann@example.com' },
  eventId: { description: 'The id of an event.' },
  file: { description: 'The name of the file.', example: 'page.js' },
  gvc: { description: 'The name of the GVC.', example: 'shop' },
  id: { description: 'The id.' },
  location: { description: 'The name of a location.', example: 'aws-eu-central-1' },
  org: { description: 'The name of the org.', example: 'local' },
  provider: { description: 'A cloud provider.', example: 'aws' },
  repository: { description: 'The name of an image without its tag.', example: 'web' },
  type: { description: 'The type of the secrets.', example: 'userpass' },
};

const pages: readonly JsonObject[] = [
  {
    name: 'limit',
    in: 'query',
    description: 'How many records a page has.',
    schema: { type: 'integer', minimum: 1, maximum: 1000, default: 50 },
  },
  {
    name: 'next',
    in: 'query',
    description: 'Where the page begins. Take it from the link `next` of the page before.',
    schema: { type: 'string' },
  },
];

const dryRun: JsonObject = {
  name: 'dryRun',
  in: 'query',
  description: 'With `true` nothing is written: the answer is 200 with what would be answered, or the refusal.',
  schema: { type: 'boolean', default: false },
};

function parametersOf(route: Described): readonly JsonObject[] {
  const { path, kind, answer, query = [] } = route;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const ofPath = names.map((name): JsonObject => {
    const { description, example } = pathParameters[name] ?? nameOf(kind);
    const schema = { type: 'string' };
    return { name, in: 'path', required: true, description, schema, ...present({ example }) };
  });
  const own = query.map(({ name, description }) => ({ name, in: 'query', description, schema: { type: 'string' } }));
  return [
    ...ofPath,
    ...(answer === 'list' || answer === 'queryresult' ? pages : []),
    ...(takesDryRun(route) ? [dryRun] : []),
    ...own,
  ];
}

/** The name from the example of a new record, so that the examples build on each other. */
function nameOf(kind: Kind | undefined): Words {
  if (kind === undefined) return { description: 'The name.' };
  const example = isNamedByEmail(kind) ? bootstrapUser : stringAt(exampleOf(kind) ?? {}, 'name');
  return { description: `The name of ${aKind(kind)}.`, example };
}

/** A reference to a schema of the document. */
export function ref(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

const titles: Readonly<Record<number, string>> = {
  400: 'What was sent is not valid, or not possible here',
  401: 'The token is missing or not valid',
  403: 'Not allowed',
  404: 'Not there',
  409: 'Not possible in the present state',
  413: 'The body is too large',
  415: 'Not JSON',
  429: 'Too many requests, or a quota is used up',
  503: 'Nothing can be read or written at present',
};

/** Refusals by status, each with its codes and an example. */
export const refusals: JsonObject = {
  ...Object.fromEntries(Object.entries(titles).map(([status, title]) => [`Refused${status}`, refusal(+status, title)])),
  Refused: { description: 'Any other refusal.', content: { 'application/json': { schema: ref('Error') } } },
};

function refusal(status: number, title: string): JsonObject {
  const codes = Object.entries(errorCodes).filter(([, facts]) => facts.status === status);
  const list = codes.map(([code, facts]) => `- \`${code}\`: ${facts.title}`).join('\n');
  // One code suffices to show the format.
  const [[code, { title: message }] = ['internal_error', errorCodes.internal_error]] = codes;
  const example = { status, code, message, id: '6f1c2d54-0b0e-4c55-9a55-0c3a3f1d9f10' };
  return {
    description: `${title}.\n\n${list}`,
    content: { 'application/json': { schema: ref('Error'), example } },
  };
}

/** The refusals of an operation. */
function refusalsOf({ method, path, permission, body, query }: Described): JsonObject {
  const takesInput = body !== undefined || query !== undefined || path.includes('{') || method !== 'GET';
  const statuses = compact([
    takesInput ? 400 : undefined,
    permission === 'none' ? undefined : 401,
    403,
    path.includes('{') ? 404 : undefined,
    method === 'GET' || body === 'query' ? undefined : 409,
    ...(body === undefined ? [] : [413, 415]),
    ...[429, 503],
  ]);
  return {
    ...Object.fromEntries(statuses.map((status) => [`${status}`, response(`Refused${status}`)])),
    default: response('Refused'),
  };
}

function response(name: string): JsonObject {
  return { $ref: `#/components/responses/${name}` };
}
