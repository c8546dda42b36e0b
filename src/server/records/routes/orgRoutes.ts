import { isArray, isObject, type JsonObject, type JsonValue, own, stringAt } from '../../../base/json/json.ts';
import { membersWithoutNulls } from '../../../kinds/normalForm/normalise.ts';
import { shapeOf } from '../../../kinds/shape/shapeOf.ts';
import { linkOf } from '../../../schema/record/ref.ts';
import { hasPermission, permittedRow } from '../../access/permissions.ts';
import { recordRefusal } from '../../audit/auditedWrite.ts';
import { recordAudit } from '../../audit/auditTrail.ts';
import { type Caller, isBootstrapUser } from '../../core/caller.ts';
import { existingRow } from '../../core/findRow.ts';
import { type Call, readIn, type Session } from '../../core/session.ts';
import { ApiFailure, invalid } from '../../http/apiFailure.ts';
import type { Route } from '../../http/dispatch/route.ts';
import { bootstrapUser } from '../../http/limits.ts';
import type { ApiReply } from '../../http/message.ts';
import { parseObject, parseOptionalObject } from '../../http/readBody.ts';
import { asksForStatus, matches, sortedBy } from '../../query/decisions/queryMatch.ts';
import { askedQuery, repeatedQuery } from '../../query/pages/askedQuery.ts';
import type { Row } from '../../store/model/row.ts';
import { emailsIn, invitation } from '../../tasks/decisions/task.ts';
import { createTask } from '../../tasks/taskState.ts';
import { writtenRecord } from '../decisions/writtenRecord.ts';
import { Presenter } from '../shown/presenter.ts';
import { shownReply } from '../shown/shownReply.ts';
import { patchRecord, replaceRecord } from '../writeRecord.ts';
import { writeRecordIn, writtenReply } from '../writtenReply.ts';

/** A new org has no records yet, so every secret that it refers to is missing. */
const empty = { get: () => undefined, list: () => [] };

/**
 * Orgs: list, query, create (local use only), read and change. They cannot be deleted (platform/concepts.kinds,
 * platform/org).
 */
export const orgRoutes: readonly Route[] = [
  {
    id: 'org.list',
    method: 'GET',
    path: '/org',
    summary: 'List the orgs that the caller may see',
    kind: 'org',
    permission: 'token',
    answer: 'list',
    handle: list,
  },
  {
    id: 'org.query',
    method: 'POST',
    path: '/org/-query',
    summary: 'Query orgs',
    kind: 'org',
    permission: 'view',
    body: 'query',
    answer: 'queryresult',
    handle: query,
  },
  {
    id: 'org.create',
    method: 'POST',
    path: '/org',
    summary: 'Create an org, with everything that every org has',
    kind: 'org',
    permission: 'admin',
    body: 'record',
    answer: 'record',
    handle: postOrg,
  },
  {
    id: 'org.createInAccount',
    method: 'POST',
    path: '/account/{account}/org',
    summary: 'Create an org, as the billing service does',
    kind: 'org',
    permission: 'admin',
    body: { type: 'object', required: ['org'], properties: { org: { type: 'object' }, invitees: { type: 'array' } } },
    answer: 'record',
    statuses: [201],
    handle: postOrgInAccount,
  },
  {
    id: 'org.read',
    method: 'GET',
    path: '/org/{org}',
    summary: 'Read an org',
    kind: 'org',
    permission: 'view',
    answer: 'record',
    handle: read,
  },
  {
    id: 'org.edit',
    method: 'PATCH',
    path: '/org/{org}',
    summary: 'Change an org by a patch',
    kind: 'org',
    permission: 'edit',
    body: 'patch',
    answer: 'record',
    handle: (call) => write(call, 'PATCH'),
  },
  {
    id: 'org.replace',
    method: 'PUT',
    path: '/org/{org}',
    summary: 'Replace an org',
    kind: 'org',
    permission: 'edit',
    body: 'record',
    answer: 'record',
    handle: (call) => write(call, 'PUT'),
  },
];

async function list(call: Call): Promise<ApiReply> {
  const items = await visible(call, (presenter, row) => presenter.text(row));
  return { status: 200, body: `{"kind":"list",${page(items, 'org')}}` };
}

/** The same as queries of other records (platform/query), but always on one page: a platform has few orgs. */
async function query(call: Call): Promise<ApiReply> {
  const body = parseOptionalObject(call.request.bodyText);
  const asked = askedQuery(body, 'org');
  const found = await visible(call, (presenter, row) => {
    const candidate = presenter.candidate(row, asksForStatus(asked));
    if (!matches(candidate, asked)) return undefined;
    return {
      candidate,
      text: asked.links ? JSON.stringify(linkOf({ kind: 'org', name: row.name }, row.name)) : presenter.text(row),
    };
  });
  const { sort } = asked;
  const sorted = sort === undefined ? found : sortedBy(found, sort, ({ candidate }) => candidate.fields);
  const items = page(
    sorted.map(({ text }) => text),
    asked.links ? 'link' : 'org',
  );
  return { status: 200, body: `{"kind":"queryresult",${items},"query":${JSON.stringify(repeatedQuery(body, 'org'))}}` };
}

function page(items: readonly string[], itemKind: string): string {
  return `"itemKind":"${itemKind}","items":[${items.join(',')}],"links":[{"rel":"self","href":"/org"}]`;
}

/** The results of `make` for all orgs that the caller may see, by name, without undefined ones. */
async function visible<T>(
  { platform, caller }: Call,
  make: (presenter: Presenter, row: Row) => T | undefined,
): Promise<readonly T[]> {
  const { service } = platform;
  const made: T[] = [];
  for (const org of (await service.database.orgs()).toSorted()) {
    const [there, as] = [await service.of(org), callerIn(org, caller)];
    if (there === undefined || as === undefined) continue;
    const one = await readIn({ platform: there, caller: as }, (session) => {
      const row = existingRow(session.tx, { kind: 'org', name: org });
      return hasPermission(session, 'view', row) ? make(new Presenter(there, session.tx), row) : undefined;
    });
    if (one !== undefined) made.push(one);
  }
  return made;
}

function read(call: Call): Promise<ApiReply> {
  const ref = { kind: 'org', name: call.platform.org } as const;
  return readIn(call, (session) => shownReply(session, permittedRow(session, 'view', ref)));
}

function write(call: Call, method: 'PATCH' | 'PUT'): Promise<ApiReply> {
  const body = parseObject(call.request.bodyText);
  const ref = { kind: 'org', name: call.platform.org } as const;
  return writeRecordIn(call, { action: 'edit', kind: 'org', ref }, (writing) => {
    const row = permittedRow(writing, 'edit', ref);
    const changed =
      method === 'PATCH' ? patchRecord(writing, row, body) : replaceRecord(writing, row, { name: row.name, ...body });
    return writtenReply(writing, changed, 200);
  });
}

/** The identity of a caller in another org: the bootstrap user exists in each, every other caller only in one. */
function callerIn(org: string, caller: Caller): Caller | undefined {
  if (caller.unrestricted || caller.link.startsWith(`/org/${org}/`)) return caller;
  return isBootstrapUser(caller) ? { ...caller, link: `/org/${org}/user/${bootstrapUser}` } : undefined;
}

/** Body: `{name, description}`. Answers 409 if an org of that name exists. */
async function postOrg(call: Call): Promise<ApiReply> {
  return create(call, parseObject(call.request.bodyText), []);
}

/**
 * Body: `{org: {name, description}, invitees}`, as clients send it to the billing service (platform/wire.discovery).
 */
async function postOrgInAccount(call: Call): Promise<ApiReply> {
  const body = parseObject(call.request.bodyText);
  const org = own(body, 'org');
  if (!isObject(org)) throw new ApiFailure(400, 'org: must be an object');
  return create(call, org, invitees(own(body, 'invitees')));
}

/** E-mail addresses; may be empty. */
function invitees(given: JsonValue | undefined): readonly string[] {
  if (given === undefined || given === null || (isArray(given) && given.length === 0)) return [];
  const emails = emailsIn({ emails: given });
  if (typeof emails === 'string') throw new ApiFailure(400, emails.replace(/^emails/, 'invitees'));
  return emails;
}

async function create(call: Call, body: JsonObject, invited: readonly string[]): Promise<ApiReply> {
  const name = stringAt(body, 'name') ?? '';
  try {
    return await found(call, name, body, invited);
  } catch (error) {
    const intent = { action: 'create', kind: 'org', ref: { kind: 'org', name } } as const;
    if (error instanceof ApiFailure) await recordRefusal(call, intent, error);
    throw error;
  }
}

async function found(call: Call, name: string, body: JsonObject, invited: readonly string[]): Promise<ApiReply> {
  const { platform, request, caller } = call;
  const { service } = platform;
  const validators = await platform.validatorsOf('org');
  const sent = membersWithoutNulls(shapeOf('org', body), { spec: {}, ...body });
  const written = writtenRecord(sent, undefined, { kind: 'org', context: { org: name }, validators, related: empty });
  if (!written.ok) throw invalid(written.problems);

  const isNew = await service.createOrg({ ...written.record, name }, (tx, row) => {
    const session = { platform: { ...platform, org: name }, tx, caller: callerIn(name, caller) ?? caller };
    recordAudit(session, request, { action: 'create', kind: 'org', row });
    for (const email of invited) invite(session, request, email);
  });
  const made = await service.of(name);
  if (!isNew || made === undefined) throw new ApiFailure('already_exists', `the org ${name} already exists`);
  const shown = await made.store.read((tx) =>
    shownReply({ platform: made, tx }, existingRow(tx, { kind: 'org', name })),
  );
  return { ...shown, status: 201, headers: { location: `/org/${name}` } };
}

/** People invited with the creation of an org join its superusers, as its creator does. */
function invite(session: Session, request: Call['request'], email: string): void {
  const { org } = session.platform;
  const groupLink = linkOf({ kind: 'group', name: 'superusers' }, org);
  for (const { action, row } of createTask(
    session,
    invitation(email, { org, creatorLink: session.caller.link, groupLink }),
  )) {
    recordAudit(session, request, { action, kind: row.kind, row });
  }
}
