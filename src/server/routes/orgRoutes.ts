import { bootstrapUser } from '../../schema/decisions.ts';
import { type JsonObject, own, stringAt } from '../../schema/json.ts';
import { linkOf } from '../../schema/links.ts';
import type { Problem } from '../../schema/problem.ts';
import { ApiFailure, invalid } from '../http/apiFailure.ts';
import type { ApiReply } from '../http/message.ts';
import { parseObject, parseOptionalObject } from '../http/readBody.ts';
import { asksForStatus, matches, order, propertyOf, readQuery } from '../rules/query.ts';
import { withoutNulls, writtenRecord } from '../rules/writtenRecord.ts';
import { hasPermission, requirePermission } from './access.ts';
import type { Row } from '../store/row.ts';
import { recordAudit } from './auditTrail.ts';
import type { Caller } from './caller.ts';
import { existingRow } from './findRow.ts';
import { Presenter } from './presenter.ts';
import type { Route } from './route.ts';
import { type Call, readIn, recordRefusal } from './session.ts';
import { patch, replace } from './writeRecord.ts';
import { shown, writeRecordIn } from './writing.ts';

/** The orgs: they are listed, made for local use, read and changed; nobody deletes one (protocol 2.1, resources B14). */
export const orgRoutes: readonly Route[] = [
  {
    id: 'org.list',
    method: 'GET',
    path: '/org',
    summary: 'The orgs that the caller may see',
    kind: 'org',
    permission: 'token',
    answer: 'list',
    handle: list,
  },
  {
    id: 'org.query',
    method: 'POST',
    path: '/org/-query',
    summary: 'The orgs that match a query',
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
    summary: 'Makes an org, with everything that every org has',
    kind: 'org',
    permission: 'admin',
    body: 'record',
    answer: 'record',
    handle: (call) => create(call, parseObject(call.request.bodyText)),
  },
  {
    id: 'org.createInAccount',
    method: 'POST',
    path: '/account/{account}/org',
    summary: 'Makes an org, as clients do through the billing service',
    kind: 'org',
    permission: 'admin',
    body: { type: 'object', required: ['org'], properties: { org: { type: 'object' }, invitees: { type: 'array' } } },
    answer: 'record',
    handle: createInAccount,
  },
  {
    id: 'org.read',
    method: 'GET',
    path: '/org/{org}',
    summary: 'The org',
    kind: 'org',
    permission: 'view',
    answer: 'record',
    handle: read,
  },
  {
    id: 'org.edit',
    method: 'PATCH',
    path: '/org/{org}',
    summary: 'Changes the org by a patch with merge directives',
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
    summary: 'Puts another record of the org in place of this one',
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

/** In the way of the queries over records (protocol 3.4); all on one page, for a platform has few orgs. */
async function query(call: Call): Promise<ApiReply> {
  const body = parseOptionalObject(call.request.bodyText);
  const problems: Problem[] = [];
  const asked = readQuery(body, 'org', problems);
  if (problems.length > 0) throw invalid(problems);
  const found = await visible(call, (presenter, row) => {
    const candidate = presenter.candidate(row, asksForStatus(asked));
    if (!matches(candidate, asked)) return undefined;
    return {
      candidate,
      text: asked.links ? JSON.stringify(linkOf({ kind: 'org', name: row.name }, row.name)) : presenter.text(row),
    };
  });
  const { sort } = asked;
  const sorted =
    sort === undefined
      ? found
      : found.toSorted((a, b) => {
          const compared = order(propertyOf(a.candidate.fields, sort.by), propertyOf(b.candidate.fields, sort.by));
          return sort.descending ? -compared : compared;
        });
  const shownQuery = { kind: 'org', ...body, spec: own(body, 'spec') ?? { match: 'all', terms: [] } };
  const items = page(
    sorted.map(({ text }) => text),
    asked.links ? 'link' : 'org',
  );
  return { status: 200, body: `{"kind":"queryresult",${items},"query":${JSON.stringify(shownQuery)}}` };
}

function page(items: readonly string[], itemKind: string): string {
  return `"itemKind":"${itemKind}","items":[${items.join(',')}],"links":[{"rel":"self","href":"/org"}]`;
}

/** What is made of each org that the caller may see, by name; undefined is left out. */
async function visible<T>(
  { platform, caller }: Call,
  make: (presenter: Presenter, row: Row) => T | undefined,
): Promise<readonly T[]> {
  const { service } = platform;
  const made: T[] = [];
  for (const org of (await service.database.orgs()).toSorted()) {
    const [there, as] = [await service.of(org), callerIn(org, caller)];
    if (there === undefined || as === undefined) continue;
    const one = await there.store.read((tx) => {
      const row = existingRow(tx, { kind: 'org', name: org }, org);
      const mayView = hasPermission({ platform: there, tx, caller: as }, 'view', row);
      return mayView ? make(new Presenter(there, tx), row) : undefined;
    });
    if (one !== undefined) made.push(one);
  }
  return made;
}

/** Who somebody is in another org: the bootstrap user is in each, everybody else in his own. */
function callerIn(org: string, caller: Caller): Caller | undefined {
  if (caller.unrestricted || caller.link.startsWith(`/org/${org}/`)) return caller;
  const isBootstrapUser = caller.kind === 'user' && caller.name === bootstrapUser;
  return isBootstrapUser ? { ...caller, link: `/org/${org}/user/${bootstrapUser}` } : undefined;
}

async function read(call: Call): Promise<ApiReply> {
  const body = await readIn(call, (session) => {
    const { platform, tx } = session;
    const row = existingRow(tx, { kind: 'org', name: platform.org }, platform.org);
    requirePermission(session, 'view', row);
    return new Presenter(platform, tx).text(row);
  });
  return { status: 200, body };
}

function write(call: Call, method: 'PATCH' | 'PUT'): Promise<ApiReply> {
  const body = parseObject(call.request.bodyText);
  const ref = { kind: 'org', name: call.platform.org } as const;
  return writeRecordIn(call, { action: 'edit', kind: 'org', ref }, (writing) => {
    const row = existingRow(writing.tx, ref, call.platform.org);
    requirePermission(writing, 'edit', row);
    const changed = method === 'PATCH' ? patch(writing, row, body) : replace(writing, row, { name: row.name, ...body });
    return shown(writing, changed, 200);
  });
}

/** Nothing exists yet in an org that is to be made: a secret that it names is missing. */
const empty = { get: () => undefined, list: () => [] };

async function create(call: Call, body: JsonObject): Promise<ApiReply> {
  const name = stringAt(body, 'name') ?? '';
  try {
    return await found(call, name, body);
  } catch (error) {
    const intent = { action: 'create', kind: 'org', ref: { kind: 'org', name } } as const;
    if (error instanceof ApiFailure) await recordRefusal(call, intent, error);
    throw error;
  }
}

async function found({ platform, request, caller }: Call, name: string, body: JsonObject): Promise<ApiReply> {
  const { service } = platform;
  const validators = await platform.validatorsOf('org');
  const sent = withoutNulls('org', { spec: {}, ...body });
  const written = writtenRecord(sent, undefined, { kind: 'org', context: { org: name }, validators, related: empty });
  if (!written.ok) throw invalid(written.problems);

  const isNew = await service.found({ ...written.record, name }, (tx, row) => {
    const as = callerIn(name, caller) ?? caller;
    recordAudit({ platform: { ...platform, org: name }, tx, caller: as }, request, {
      action: 'create',
      kind: 'org',
      row,
    });
  });
  const made = await service.of(name);
  if (!isNew || made === undefined) throw new ApiFailure(409, `the org ${name} exists already`);
  const text = await made.store.read((tx) => {
    return new Presenter(made, tx).text(existingRow(tx, { kind: 'org', name }, name));
  });
  return { status: 201, body: text, headers: { location: `/org/${name}` } };
}

/** `{org: {name, description}, invitees}` (protocol 1.4). Nobody is invited: there is nowhere to send it. */
async function createInAccount(call: Call): Promise<ApiReply> {
  const org = own(parseObject(call.request.bodyText), 'org');
  if (typeof org !== 'object' || org === null || Array.isArray(org))
    throw new ApiFailure(400, 'org: must be an object');
  return create(call, parseObject(JSON.stringify(org)));
}
