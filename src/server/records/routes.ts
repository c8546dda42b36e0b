import { type JsonObject, own, stringAt } from '../../base/json/json.ts';
import { available } from '../../base/text/suggestion.ts';
import { mostBytesOf } from '../../kinds/bodyLimits.ts';
import { isAnswered, kindFacts } from '../../kinds/kindFacts.ts';
import { aKind, wordsOf } from '../../kinds/kindWords.ts';
import { secretTypes } from '../../kinds/secret/fields.ts';
import { isDeclarable, isGvcScoped, type Kind } from '../../schema/record/kinds.ts';
import { linkOf, type Ref } from '../../schema/record/ref.ts';
import { forbidOwnRecord, permittedRow, requirePermission } from '../access/permissions.ts';
import { writeIn } from '../audit/auditedWrite.ts';
import { findRow, requireParent } from '../core/rows.ts';
import { type Call, readIn, type Session } from '../core/session.ts';
import { ApiFailure, notFound } from '../http/apiFailure.ts';
import {
  callRef,
  collectionTemplate,
  itemTemplate,
  orgTemplate,
  type Route,
  servedKinds,
} from '../http/dispatch/route.ts';
import { deletionStatus } from '../http/limits.ts';
import { type ApiReply, reply } from '../http/message.ts';
import { parseObject, parseOptionalObject } from '../http/readBody.ts';
import { listPage, queryPage } from '../query/pages/listPage.ts';
import { refOfRow } from '../store/model/row.ts';
import { type Helper, helperScript, helpers, isOwnLocation } from './decisions/recordText.ts';
import { agentInfo } from './decisions/shownRecord.ts';
import { removeRecord } from './removeRecord.ts';
import { Presenter, shownReply } from './shown/presenter.ts';
import { createRecord, patchRecord, replaceRecord } from './writeRecord.ts';
import { writeRecordIn, writtenReply } from './writtenReply.ts';

const summaries: Readonly<Record<string, (kind: Kind) => string>> = {
  list: (kind) => `List ${wordsOf(kind).plural}`,
  listInOrg: (kind) => `List the ${wordsOf(kind).plural} of all GVCs`,
  query: (kind) => `Query ${wordsOf(kind).plural}`,
  queryInOrg: (kind) => `Query the ${wordsOf(kind).plural} of all GVCs`,
  read: (kind) => `Read ${aKind(kind)}`,
  edit: (kind) => `Change ${aKind(kind)} by a patch`,
  delete: (kind) => `Delete ${aKind(kind)}`,
  create: (kind) => `Create ${aKind(kind)}`,
  upsert: (kind) => `Create or replace ${aKind(kind)}`,
  replace: (kind) => `Replace ${aKind(kind)}, or create it`,
};

/** List, query, create, read, change, replace and delete for each kind (platform/wire.operations). */
export const recordRoutes: readonly Route[] = servedKinds.flatMap(recordRoutesOf);

export function recordRoutesOf(kind: Kind): readonly Route[] {
  const collection = { path: collectionTemplate(kind), answer: 'record' } as const;
  const item = { path: itemTemplate(kind), answer: 'record' } as const;
  const creating = { ...collection, body: 'record' } as const;
  const operations: Operation[] = [
    ...readingOperations(kind, orgTemplate(kind), isGvcScoped(kind) ? 'InOrg' : ''),
    ...(isGvcScoped(kind) ? readingOperations(kind, collection.path, '') : []),
    { name: 'read', method: 'GET', ...item, permission: 'view', handle: (call) => read(call, kind) },
  ];
  if (!isAnswered(kind)) {
    operations.push({
      ...{ name: 'edit', method: 'PATCH', ...item, body: 'patch', permission: 'edit' },
      handle: (call) => change(call, kind),
    });
  }
  if (kindFacts(kind).undeletable !== true) {
    operations.push({
      ...{ name: 'delete', method: 'DELETE', ...item, answer: 'empty', permission: 'delete' },
      handle: (call) => remove(call, kind),
    });
  }
  if (isDeclarable(kind)) {
    operations.push(
      { name: 'create', method: 'POST', ...creating, permission: 'create', handle: (call) => create(call, kind) },
      { name: 'upsert', method: 'PUT', ...creating, permission: 'edit', handle: (call) => upsert(call, kind) },
      {
        ...{ name: 'replace', method: 'PUT', ...item, body: 'record', permission: 'edit' },
        handle: (call) => upsert(call, kind),
      },
    );
  }
  return operations.map((operation) => routeOf(kind, operation));
}

function readingOperations(kind: Kind, path: string, suffix: string): readonly Operation[] {
  return [
    {
      ...{ name: `list${suffix}`, method: 'GET', path, permission: 'view', answer: 'list' },
      handle: (call) => list(call, kind),
    },
    {
      ...{ name: `query${suffix}`, method: 'POST', path: `${path}/-query`, permission: 'view', answer: 'queryresult' },
      body: 'query',
      handle: (call) => query(call, kind),
    },
  ];
}

/** A route without the fields that its kind determines. */
interface Operation extends Pick<Route, 'answer' | 'body' | 'handle' | 'method' | 'path' | 'permission'> {
  readonly name: string;
}

function routeOf(kind: Kind, { name, ...operation }: Operation): Route {
  const summary = summaries[name]?.(kind) ?? name;
  const takesRecord = operation.body === 'record' || operation.body === 'patch';
  const mostBodyBytes = takesRecord ? { mostBodyBytes: mostBytesOf(kind) } : {};
  return { id: `${kind}.${name}`, kind, summary, ...operation, ...mostBodyBytes };
}

async function list(call: Call, kind: Kind): Promise<ApiReply> {
  return { status: 200, body: await listPage(call, { kind, gvc: call.params['gvc'] }) };
}

async function query(call: Call, kind: Kind): Promise<ApiReply> {
  const asked = parseOptionalObject(call.request.bodyText);
  return { status: 200, body: await queryPage(call, { kind, gvc: call.params['gvc'] }, asked) };
}

/** Reads a record, even one that is being deleted (platform/wire.writes). */
function read(call: Call, kind: Kind): Promise<ApiReply> {
  const ref = callRef(call, kind);
  return readIn(call, (session) => {
    const { platform, tx } = session;
    const row = findRow(tx, ref) ?? tx.leaving(ref);
    if (row === undefined) throw notFound(linkOf(ref, platform.org));
    requirePermission(session, 'view', row);
    return shownReply(session, row);
  });
}

function change(call: Call, kind: Kind): Promise<ApiReply> {
  const body = parseObject(call.request.bodyText);
  const ref = callRef(call, kind);
  return writeRecordIn(call, { action: 'edit', kind, ref }, (writing) => {
    const row = permittedRow(writing, 'edit', ref);
    return writtenReply(writing, patchRecord(writing, row, body), 200);
  });
}

function remove(call: Call, kind: Kind): Promise<ApiReply> {
  const ref = callRef(call, kind);
  return writeIn(call, { action: 'delete', kind, ref }, (session) => {
    const row = permittedRow(session, 'delete', ref);
    forbidOwnRecord(session, row);
    const others = removeRecord(session, row, call.request);
    return { reply: reply(deletionStatus, {}), row, others };
  });
}

function create(call: Call, kind: Kind): Promise<ApiReply> {
  const body = parseObject(call.request.bodyText);
  const { gvc } = call.params;
  const ref = callRef({ params: { ...call.params, name: stringAt(body, 'name') ?? '' } }, kind);
  return writeRecordIn(call, { action: 'create', kind, ref }, (writing) => {
    requireParent(writing.tx, gvc);
    return writtenReply(writing, createRecord(writing, kind, gvc, body), 201);
  });
}

/**
 * PUT on a collection, with the name in the body, or on a record, with the name in the path (platform/wire.operations).
 */
function upsert(call: Call, kind: Kind): Promise<ApiReply> {
  const sent = parseObject(call.request.bodyText);
  const body = withPathName(sent, call.params['name']);
  const ref = callRef({ params: { ...call.params, name: stringAt(body, 'name') ?? '' } }, kind);
  return writeRecordIn(call, { action: 'edit', kind, ref }, (writing) => {
    requireParent(writing.tx, ref.gvc);
    const row = writing.tx.get(ref);
    if (row === undefined) return writtenReply(writing, createRecord(writing, kind, ref.gvc, body), 201);
    requirePermission(writing, 'edit', row);
    return writtenReply(writing, replaceRecord(writing, row, body), 200);
  });
}

function withPathName(sent: JsonObject, name: string | undefined): JsonObject {
  if (name === undefined) return sent;
  const stated = own(sent, 'name') ?? name;
  if (stated === name) return { ...sent, name };
  throw new ApiFailure(400, `the name is ${JSON.stringify(stated)}, not ${JSON.stringify(name)}`);
}

export const secretRoutes: readonly Route[] = [
  {
    id: 'secret.reveal',
    method: 'GET',
    path: `${itemTemplate('secret')}/-reveal`,
    summary: 'Read a secret with its values',
    kind: 'secret',
    permission: 'reveal',
    answer: 'record',
    handle: (call) =>
      readIn(call, (session) => {
        const { platform, tx } = session;
        const row = permittedRow(session, 'reveal', callRef(call, 'secret'));
        const body = new Presenter(platform, tx).textWith(row, platform.seal.open(row.hidden, row.uid));
        return { status: 200, body };
      }),
  },
  {
    id: 'secret.forType',
    method: 'GET',
    path: `${orgTemplate('secret')}/-for/type/{type}`,
    summary: 'List the secrets of one type, without their values',
    kind: 'secret',
    permission: 'view',
    answer: 'list',
    async handle(call) {
      const { type = '' } = call.params;
      if (!secretTypes.some((known) => known === type)) {
        throw new ApiFailure(400, `no secret has the type ${JSON.stringify(type)}; one of ${secretTypes.join(', ')}`);
      }
      const asked = { spec: { match: 'all', terms: [{ property: 'type', op: '=', value: type }] } };
      return { status: 200, body: await listPage(call, { kind: 'secret' }, asked) };
    },
  },
];

/** Additional routes of agents and cloud accounts (platform/wire.paths). */
export const agentRoutes: readonly Route[] = [
  {
    id: 'agent.info',
    method: 'GET',
    path: `${itemTemplate('agent')}/-info`,
    summary: 'Read facts of a running agent',
    kind: 'agent',
    permission: 'view',
    answer: { type: 'object' },
    handle: (call) =>
      readIn(call, (session) => {
        const row = permittedRow(session, 'view', callRef(call, 'agent'));
        return reply(200, agentInfo({ id: row.uid, link: linkOf(refOfRow(row), session.platform.org) }));
      }),
  },
  {
    id: 'cloudaccount.instructions',
    method: 'GET',
    path: `${orgTemplate('cloudaccount')}/-instructions/{provider}`,
    summary: 'Read what to do at a provider before its cloud account is created',
    kind: 'cloudaccount',
    permission: 'token',
    answer: {
      type: 'object',
      properties: { provider: { type: 'string' }, instructions: { type: 'array', items: { type: 'string' } } },
    },
    handle({ params }) {
      const { provider = '' } = params;
      const found = accountInstructions(provider);
      if (found !== undefined) return reply(200, found);
      throw new ApiFailure(400, `there is no provider ${JSON.stringify(provider)}. ${available(accountProviders)}`);
    },
  },
];

const steps: Readonly<Record<string, readonly string[]>> = {
  aws: [
    'Create an IAM role that the platform may assume, with the permissions that identities are to get.',
    'Create the cloud account with provider: aws and data: {roleArn: <the ARN of the role>}.',
  ],
  gcp: [
    'Let the service account of the platform administer the project that identities are to work in.',
    'Create the cloud account with provider: gcp and data: {projectId: <the id of the project>}.',
  ],
  azure: [
    'Deploy the connector function in the subscription that identities are to work in.',
    'Create a secret of the type azure-connector with its url and code.',
    'Create the cloud account with provider: azure and data: {secretLink: <the link of the secret>}.',
  ],
  ngs: [
    'Create a secret of the type nats-account with accountId and privateKey.',
    'Create the cloud account with provider: ngs and data: {secretLink: <the link of the secret>}.',
  ],
};

const accountProviders: readonly string[] = Object.keys(steps);

/**
 * The steps at a provider before its cloud account is created (platform/wire.paths, platform/cloudaccount). Undefined
 * if the provider is unknown.
 */
function accountInstructions(provider: string): JsonObject | undefined {
  const found = Object.hasOwn(steps, provider) ? steps[provider] : undefined;
  return found === undefined ? undefined : { provider, instructions: [...found] };
}

const asText = { 'content-type': 'text/plain; charset=utf-8' };

/** The scripts behind the links `install` and `uninstall` of a self-hosted location (platform/concepts.links). */
export const locationRoutes: readonly Route[] = helpers.map((helper) => ({
  id: `location.${helper}`,
  method: 'GET',
  path: `${itemTemplate('location')}/-${helper}`,
  summary: `Read the script behind the link ${helper} of a self-hosted location`,
  kind: 'location',
  permission: 'view',
  answer: 'text',
  handle: (call) => readIn(call, (session) => script(session, callRef(call, 'location'), helper, call.request.path)),
}));

function script(session: Session, ref: Ref, helper: Helper, path: string): ApiReply {
  const row = permittedRow(session, 'view', ref);
  if (!isOwnLocation(row.record)) throw notFound(path);
  return { status: 200, body: helperScript(helper, linkOf(refOfRow(row), session.platform.org)), headers: asText };
}

/** PUT for kinds that clients cannot create: the record must exist (platform/clients.operations, `edit --replace`). */
export function replaceRoute(kind: Kind): Route {
  return {
    id: `${kind}.replace`,
    method: 'PUT',
    path: itemTemplate(kind),
    summary: `Replace ${aKind(kind)}`,
    kind,
    permission: 'edit',
    body: 'record',
    answer: 'record',
    handle(call) {
      const sent = parseObject(call.request.bodyText);
      const ref = callRef(call, kind);
      return writeRecordIn(call, { action: 'edit', kind, ref }, (writing) => {
        const row = permittedRow(writing, 'edit', ref);
        const stated = own(sent, 'name') ?? row.name;
        if (stated !== row.name) {
          throw new ApiFailure(400, `the name is ${JSON.stringify(stated)}, not ${JSON.stringify(row.name)}`);
        }
        return writtenReply(writing, replaceRecord(writing, row, { ...sent, name: row.name }), 200);
      });
    },
  };
}
