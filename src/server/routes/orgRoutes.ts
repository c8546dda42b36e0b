import { bootstrapUser } from '../../schema/decisions.ts';
import { type JsonObject, own, stringAt } from '../../schema/json.ts';
import { ApiFailure, invalid } from '../http/apiFailure.ts';
import type { ApiReply } from '../http/message.ts';
import { parseObject } from '../http/readBody.ts';
import { withoutNulls, writtenRecord } from '../rules/writtenRecord.ts';
import { hasPermission, requirePermission } from './access.ts';
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

async function list({ platform, caller }: Call): Promise<ApiReply> {
  const { service } = platform;
  const found: string[] = [];
  for (const org of (await service.database.orgs()).toSorted()) {
    const [there, as] = [await service.of(org), callerIn(org, caller)];
    if (there === undefined || as === undefined) continue;
    const text = await there.store.read((tx) => {
      const row = existingRow(tx, { kind: 'org', name: org }, org);
      return hasPermission({ platform: there, tx, caller: as }, 'view', row)
        ? new Presenter(there, tx).text(row)
        : undefined;
    });
    if (text !== undefined) found.push(text);
  }
  const links = JSON.stringify([{ rel: 'self', href: '/org' }]);
  return { status: 200, body: `{"kind":"list","itemKind":"org","items":[${found.join(',')}],"links":${links}}` };
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
