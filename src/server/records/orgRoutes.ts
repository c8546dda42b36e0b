import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  numberAt,
  objectAt,
  own,
  stringAt,
} from '../../base/json/json.ts';
import { membersWithoutNulls } from '../../kinds/normalise.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import { linkOf } from '../../schema/record/ref.ts';
import { hasPermission, permittedRow, requirePermission } from '../access/permissions.ts';
import { recordRefusal, writeIn } from '../audit/auditedWrite.ts';
import { recordAudit } from '../audit/auditTrail.ts';
import { type Caller, isBootstrapUser } from '../core/caller.ts';
import { insertPlatformRecord, updatePlatformRecord } from '../core/ownWrite.ts';
import { existingRow } from '../core/rows.ts';
import { type Call, readIn, type Session } from '../core/session.ts';
import { Slices } from '../core/slices.ts';
import { ApiFailure, invalid, notFound } from '../http/apiFailure.ts';
import { orgTemplate, type Route } from '../http/dispatch/route.ts';
import { bootstrapUser } from '../http/limits.ts';
import type { ApiReply } from '../http/message.ts';
import { parseObject, parseOptionalObject } from '../http/readBody.ts';
import { matches, needsStatus, sortedBy } from '../query/decisions/queryMatch.ts';
import { askedQuery, echoedQuery } from '../query/pages/askedQuery.ts';
import { allOf, type Scan, scan } from '../query/pages/recordScan.ts';
import { type Row, refOfRow } from '../store/model/row.ts';
import { emailsIn, invitation } from '../tasks/decisions/task.ts';
import { createTask } from '../tasks/taskState.ts';
import { writtenRecord } from './decisions/writtenRecord.ts';
import { replaceRoute } from './routes.ts';
import { Presenter, shownReply } from './shown/presenter.ts';
import { requireQuota } from './shown/quotaUse.ts';
import { patchRecord, replaceRecord } from './writeRecord.ts';
import { writeRecordIn, writtenReply } from './writtenReply.ts';

/** A new org has no records, so every secret that it refers to is missing. */
const noRelatedRecords = { get: () => undefined, list: () => [] };

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
  const items = await visibleOrgs(call, (presenter, row) => presenter.text(row));
  return { status: 200, body: `{"kind":"list",${page(items, 'org')}}` };
}

/** Queries like those of other records (platform/query), but always one page: a platform has few orgs. */
async function query(call: Call): Promise<ApiReply> {
  const body = parseOptionalObject(call.request.bodyText);
  const asked = askedQuery(body, 'org');
  const found = await visibleOrgs(call, (presenter, row) => {
    const candidate = presenter.candidate(row, needsStatus(asked));
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
  return { status: 200, body: `{"kind":"queryresult",${items},"query":${JSON.stringify(echoedQuery(body, 'org'))}}` };
}

function page(items: readonly string[], itemKind: string): string {
  return `"itemKind":"${itemKind}","items":[${items.join(',')}],"links":[{"rel":"self","href":"/org"}]`;
}

/** The defined results of `make` for all orgs that the caller may see, by name. */
async function visibleOrgs<T>(
  { platform, caller }: Call,
  make: (presenter: Presenter, row: Row) => T | undefined,
): Promise<readonly T[]> {
  const { service } = platform;
  const made: T[] = [];
  for (const org of (await service.database.orgs()).toSorted()) {
    const [orgPlatform, orgCaller] = [await service.of(org), callerIn(org, caller)];
    if (orgPlatform === undefined || orgCaller === undefined) continue;
    const one = await readIn({ platform: orgPlatform, caller: orgCaller }, (session) => {
      const row = existingRow(session.tx, { kind: 'org', name: org });
      return hasPermission(session, 'view', row) ? make(new Presenter(orgPlatform, session.tx), row) : undefined;
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

/** The identity of a caller in another org: the bootstrap user exists in each org, every other caller in only one. */
function callerIn(org: string, caller: Caller): Caller | undefined {
  if (caller.unrestricted || caller.link.startsWith(`/org/${org}/`)) return caller;
  return isBootstrapUser(caller) ? { ...caller, link: `/org/${org}/user/${bootstrapUser}` } : undefined;
}

/** Body: `{name, description}`. Throws 409 if an org of that name exists. */
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

/** The e-mail addresses, which may be empty. */
function invitees(given: JsonValue | undefined): readonly string[] {
  if (given === undefined || given === null || (isArray(given) && given.length === 0)) return [];
  const emails = emailsIn({ emails: given });
  if (typeof emails === 'string') throw new ApiFailure(400, emails.replace(/^emails/, 'invitees'));
  return emails;
}

async function create(call: Call, body: JsonObject, invited: readonly string[]): Promise<ApiReply> {
  const name = stringAt(body, 'name') ?? '';
  try {
    return await createAudited(call, name, body, invited);
  } catch (error) {
    const intent = { action: 'create', kind: 'org', ref: { kind: 'org', name } } as const;
    if (error instanceof ApiFailure) await recordRefusal(call, intent, error);
    throw error;
  }
}

async function createAudited(
  call: Call,
  name: string,
  body: JsonObject,
  invited: readonly string[],
): Promise<ApiReply> {
  const { platform, request, caller } = call;
  const { service } = platform;
  const validators = await platform.validatorsOf('org');
  const sent = membersWithoutNulls(shapeOf('org', body), { spec: {}, ...body });
  const written = writtenRecord(sent, undefined, {
    kind: 'org',
    context: { org: name },
    validators,
    related: noRelatedRecords,
  });
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

/** Invites a person to the superusers of a new org, which its creator joins too. */
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

/** Name and tag have up to 128 characters each (platform/concepts.names); tags are as in registries. */
const imageNameForm = /^(?=[^:]{1,128}:)([a-z0-9]+(?:[-._]+[a-z0-9]+)*):([A-Za-z0-9_][-._A-Za-z0-9]{0,127})$/;

/** This platform has no registry; a local-only endpoint creates images instead. */
export const imageRoutes: readonly Route[] = [
  replaceRoute('image'),
  {
    id: 'image.latest',
    method: 'GET',
    path: `${orgTemplate('image')}/-latest/{repository}`,
    summary: 'Read the image of a repository that was pushed last',
    kind: 'image',
    permission: 'view',
    answer: 'record',
    handle: latest,
  },
  {
    id: 'image.simulate',
    method: 'POST',
    path: `${orgTemplate('image')}/-simulate`,
    summary: 'Push an image, as the registry would',
    kind: 'image',
    permission: 'admin',
    devOnly: true,
    body: {
      type: 'object',
      properties: { name: { type: 'string' }, digest: { type: 'string' }, manifest: { type: 'object' } },
      required: ['name'],
      additionalProperties: false,
    },
    answer: 'record',
    handle: pushImage,
  },
];

async function latest(call: Call): Promise<ApiReply> {
  const repository = call.params['repository'] ?? '';
  const found = await lastPushed(call, repository, allOf('image'));
  // 403 if the caller may not see the image, 404 if it does not exist.
  const row = found ?? (await lastPushed(call, repository, { ...allOf('image'), viewable: () => () => true }));
  return readIn(call, (session) => {
    const current = row === undefined ? undefined : session.tx.get(refOfRow(row));
    if (current === undefined) throw notFound(call.request.path);
    requirePermission(session, 'view', current);
    return shownReply(session, current);
  });
}

function lastPushed(call: Call, repository: string, images: Scan): Promise<Row | undefined> {
  return Slices.ofCall(call, async (slices) => {
    let last: Row | undefined;
    for await (const { row } of scan(call, slices, images)) {
      await slices.rest();
      if (stringAt(objectAt(row.state, 'shown'), 'repository') !== repository) continue;
      if (last === undefined || (pushedMs(row) - pushedMs(last) || row.seq - last.seq) > 0) last = row;
    }
    return last;
  });
}

function pushedMs(row: Row): number {
  return numberAt(row.state, 'pushedMs') ?? row.createdMs;
}

/** Moves an existing tag to the new digest; its description and tags do not change. */
function pushImage(call: Call): Promise<ApiReply> {
  const body = parseObject(call.request.bodyText);
  const name = stringAt(body, 'name') ?? '';
  const ref = { kind: 'image', name } as const;
  return writeIn(call, { action: 'create', kind: 'image', ref }, (session) => {
    const { platform, tx } = session;
    const parsed = parseImageName(name);
    if (parsed === undefined) throw new ApiFailure(400, `name: ${JSON.stringify(name)} is not NAME:TAG`);
    const digest = stringAt(body, 'digest') ?? `sha256:${platform.digest(`${platform.org}/${name}`)}`;
    const manifest = own(body, 'manifest') ?? emptyManifest(digest);
    if (!isObject(manifest)) throw new ApiFailure(400, 'manifest: must be an object');
    const pushedMs = platform.now();
    const state = { shown: { ...parsed, digest, manifest }, pushedMs };
    const known = tx.get(ref);
    if (known === undefined) requireQuota(tx, 'image', {});
    const record = { name, description: name, tags: {} };
    const row =
      known === undefined
        ? insertPlatformRecord(session, { ...ref, record, state }, { createdMs: pushedMs })
        : updatePlatformRecord(session, known, { state });
    const headers = { location: linkOf(refOfRow(row), platform.org) };
    const shown = { ...shownReply(session, row), status: 201, headers };
    return { reply: shown, row, action: known === undefined ? 'create' : 'edit' };
  });
}

function emptyManifest(digest: string): JsonObject {
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  return { schemaVersion: 2, mediaType, config: { digest }, layers: [] };
}

interface ImageName {
  readonly repository: string;
  readonly tag: string;
}

/** Returns undefined if the text is not `NAME:TAG`. */
export function parseImageName(text: string): ImageName | undefined {
  const [, repository, tag] = imageNameForm.exec(text) ?? [];
  return repository === undefined || tag === undefined ? undefined : { repository, tag };
}
