import { type JsonObject, objectAt, stringAt } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { aKind } from '../../kinds/kindWords.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import { lastSegment, linkOf, type Ref } from '../../schema/record/ref.ts';
import { permittedRow } from '../access/permissions.ts';
import type { QueryParameter } from '../api/openapi/described.ts';
import { type Call, changeIn, readIn, type Session } from '../core/session.ts';
import { ApiFailure, invalid, notFound } from '../http/apiFailure.ts';
import { callRef, itemTemplate, type Route, servedKinds } from '../http/dispatch/route.ts';
import { type ApiReply, reply } from '../http/message.ts';
import { parseObject } from '../http/readBody.ts';
import { filteredJournalPage, journalPage } from '../query/pages/journalPage.ts';
import type { Entry, EntrySelection } from '../store/model/row.ts';
import { auditEventPath, writtenEvent } from './decisions/auditEvent.ts';
import { type AuditQuery, matchesAuditQuery, platformContext, readAuditQuery } from './decisions/auditQuery.ts';
import { lastRollout } from './eventLog.ts';

const base = '/audit/org/{org}';

const filters: readonly QueryParameter[] = [
  { name: 'contextName', description: 'The audit context. Default: that of the platform' },
  { name: 'resourceType', description: 'The kind of the record' },
  { name: 'subjectName', description: 'Who did it: a link, an e-mail address or a name' },
  { name: 'fromEvent', description: 'From then on: ISO 8601, or how long ago (7d, 1h, 30m)' },
  { name: 'toEvent', description: 'Until then, in the same forms' },
  { name: 'actionType', description: 'create, edit, delete or exec' },
  { name: 'location', description: 'The location in which it happened' },
  { name: 'gvcAlias', description: 'The GVC in which it happened' },
  { name: 'podId', description: 'The replica in which it happened' },
];

/** The audit trail, read by org, record or event. Clients write to their own contexts (platform/audit.trail). */
export const auditRoutes: readonly Route[] = [
  {
    id: 'audit.list',
    method: 'GET',
    path: base,
    summary: 'List the audit events of an org, newest first',
    permission: 'readAudit',
    answer: 'queryresult',
    query: filters,
    handle: (call) => list(call, {}),
  },
  {
    id: 'audit.listById',
    method: 'GET',
    path: `${base}/resource/id/{id}`,
    summary: 'List the audit events of the record with an id, newest first',
    permission: 'readAudit',
    answer: 'queryresult',
    query: filters,
    handle: (call) => list(call, { owner: call.params['id'] ?? '' }),
  },
  {
    id: 'audit.listByName',
    method: 'GET',
    path: `${base}/resource/name/{name}`,
    summary: 'List the audit events of the records with a name, newest first',
    permission: 'readAudit',
    answer: 'queryresult',
    query: filters,
    handle: (call) => list(call, { name: call.params['name'] ?? '' }),
  },
  {
    id: 'audit.read',
    method: 'GET',
    path: `${base}/id/{eventId}`,
    summary: 'Read an audit event',
    permission: 'readAudit',
    answer: { type: 'object' },
    handle: read,
  },
  {
    id: 'audit.write',
    method: 'POST',
    path: `${base}/auditctx/{ctx}`,
    summary: 'Write an event into an audit context',
    kind: 'auditctx',
    permission: 'writeAudit',
    body: {
      type: 'object',
      required: ['resource'],
      properties: {
        resource: {
          type: 'object',
          required: ['id', 'type'],
          properties: { id: { type: 'string' }, type: { type: 'string' }, name: { type: 'string' }, data: {} },
        },
        action: {
          type: 'object',
          properties: { type: { type: 'string', enum: ['create', 'edit', 'delete', 'exec'] }, data: {} },
        },
        result: { type: 'object', properties: { status: { type: 'string' }, message: { type: 'string' } } },
      },
    },
    answer: { type: 'object' },
    query: [{ name: 'async', description: 'true: the client does not wait; the answer is 202' }],
    statuses: [201, 202],
    handle: write,
  },
];

async function list(call: Call, of: AuditedRecord): Promise<ApiReply> {
  const { request, platform } = call;
  const asked = readAuditQuery(request.query, platform.org, platform.now());
  if (!asked.ok) throw invalid(asked.problems);
  const { query } = asked;
  await readIn(call, (session) => requireContext(session, 'readAudit', query.context));
  const question = {
    selection: auditSelection(of, query),
    path: request.path,
    carried: nextPageParameters(request.query, query),
  } as const;
  const page = await filteredJournalPage(call, question, (entry) => matchesFully(entry, of, query));
  return reply(200, { kind: 'queryresult', itemKind: 'auditevent', items: page.items, links: page.links });
}

/** Throws 404 for an unknown context, 403 without the permission on it. */
function requireContext(session: Session, permission: 'readAudit' | 'writeAudit', name: string): void {
  permittedRow(session, permission, { kind: 'auditctx', name });
}

/**
 * The parameters of the next page. Relative times become absolute, because otherwise the window would move between
 * pages.
 */
function nextPageParameters(
  parameters: URLSearchParams,
  { fromMs, toMs }: AuditQuery,
): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(parameters),
    ...present({ fromEvent: fromMs === undefined ? undefined : new Date(fromMs).toISOString() }),
    ...present({ toEvent: toMs === undefined ? undefined : new Date(toMs).toISOString() }),
  };
}

async function read(call: Call): Promise<ApiReply> {
  const id = call.params['eventId'] ?? '';
  const event = await readIn(call, (session) => {
    const [entry] = session.tx.entries({ journal: 'audit', id, limit: 1 });
    if (entry === undefined) throw notFound(auditEventPath(call.platform.org, id));
    requireContext(session, 'readAudit', entry.context);
    return entry.body;
  });
  return reply(200, event);
}

/** In characters. Events are for people to read, not a storage for applications. */
const longestEvent = 64 * 1024;

/** The refusal of clients' writes to the platform's context, which has only events that the platform observed. */
function platformContextFailure(context: string): ApiFailure {
  const message =
    `events in the audit context ${context} are written by the platform alone: write into a context of your ` +
    'own, made with POST …/auditctx';
  return new ApiFailure('platform_context', message);
}

/** Answers 201 with the event, or 202 with `?async=true`; both times the event is already stored. */
async function write(call: Call): Promise<ApiReply> {
  const { platform, request, caller, params } = call;
  const context = params['ctx'] ?? '';
  const id = platform.newId();
  const event = await changeIn(call, (session): JsonObject => {
    requireContext(session, 'writeAudit', context);
    if (context === platformContext) throw platformContextFailure(context);
    if (request.bodyText.length > longestEvent) {
      throw new ApiFailure(413, `an audit event has at most ${longestEvent} characters`);
    }
    const nowMs = platform.now();
    const { org } = platform;
    const writer = { id, requestId: request.id, nowMs, org, context, remoteIp: request.remoteIp, caller };
    const written = writtenEvent(parseObject(request.bodyText), writer);
    if (!written.ok) throw invalid(written.problems);
    const resource = objectAt(written.event, 'resource');
    session.tx.addEntry({
      journal: 'audit',
      id,
      owner: stringAt(resource, 'id') ?? '',
      kind: stringAt(resource, 'type') ?? '',
      name: stringAt(resource, 'name') ?? '',
      subject: stringAt(objectAt(objectAt(written.event, 'subject'), 'data'), 'principalLink') ?? '',
      context,
      atMs: written.atMs,
      body: written.event,
    });
    return written.event;
  });
  const status = request.query.get('async') === 'true' ? 202 : 201;
  return reply(status, event, { location: auditEventPath(platform.org, id) });
}

/** The record in the path of an audit request, by id or by name. */
type AuditedRecord = Pick<EntrySelection, 'name' | 'owner'>;

/**
 * The conditions that one index can evaluate. With others a store might read any number of events in one query, so
 * `matchesFully` checks those.
 */
function auditSelection(of: AuditedRecord, query: AuditQuery): Omit<EntrySelection, 'before' | 'limit'> {
  const { fromMs, toMs } = query;
  return {
    journal: 'audit',
    ...narrowest(of, query),
    ...present({ fromMs }),
    // The end of a selection is exclusive, that of a window inclusive.
    ...present({ toMs: toMs === undefined ? undefined : toMs + 1 }),
  };
}

function narrowest(
  { name, owner }: AuditedRecord,
  { context, resourceType, subject }: AuditQuery,
): Partial<EntrySelection> {
  if (owner !== undefined) return { owner };
  if (context !== platformContext) return { context };
  if (name !== undefined) return { context, name };
  // Subjects of the platform's context are stored by the last segment of their link: the e-mail address in lower case.
  if (subject !== undefined) return { context, subjectName: lastSegment(subject).toLowerCase() };
  return resourceType === undefined ? {} : { context, kind: resourceType };
}

/** Whether an event matches the whole query, including the conditions of the selection. Cheap ones come first. */
function matchesFully(entry: Entry, { name, owner }: AuditedRecord, query: AuditQuery): boolean {
  return (
    entry.context === query.context &&
    (owner === undefined || entry.owner === owner) &&
    (name === undefined || entry.name === name) &&
    (query.resourceType === undefined || entry.kind === query.resourceType) &&
    matchesAuditQuery(entry.body, query)
  );
}

/** The event log of each record: the platform's actions on it (platform/audit.event-log). */
export const eventRoutes: readonly Route[] = [
  ...servedKinds.flatMap(eventRoutesOf),
  ...routesOf('org', '/org/{org}', ({ platform }) => ({ kind: 'org', name: platform.org })),
];

export function eventRoutesOf(kind: Kind): readonly Route[] {
  return routesOf(kind, itemTemplate(kind), (call) => callRef(call, kind));
}

function routesOf(kind: Kind, item: string, refOf: (call: Call) => Ref): readonly Route[] {
  return [
    {
      id: `${kind}.events`,
      method: 'GET',
      path: `${item}/-eventlog`,
      summary: `List what happened to ${aKind(kind)}, newest first`,
      kind,
      permission: 'view',
      answer: 'list',
      handle: (call) => listEvents(call, refOf(call)),
    },
    {
      id: `${kind}.event`,
      method: 'GET',
      path: `${item}/-eventlog/{id}`,
      summary: `Read an event of ${aKind(kind)}`,
      kind,
      permission: 'view',
      answer: { type: 'object' },
      handle: (call) => readEvent(call, refOf(call)),
    },
  ];
}

async function listEvents(call: Call, ref: Ref): Promise<ApiReply> {
  const path = `${linkOf(ref, call.platform.org)}/-eventlog`;
  const page = await readIn(call, (session) => {
    const row = permittedRow(session, 'view', ref);
    const selection = { journal: 'event', owner: row.uid } as const;
    const others = lastRollout(session.platform, row);
    return journalPage(session.tx, call.request.query, { selection, path, others });
  });
  return reply(200, { kind: 'list', itemKind: 'event', items: page.items, links: page.links });
}

async function readEvent(call: Call, ref: Ref): Promise<ApiReply> {
  const id = call.params['id'] ?? '';
  const event = await readIn(call, (session) => {
    const row = permittedRow(session, 'view', ref);
    const [stored] = session.tx.entries({ journal: 'event', owner: row.uid, id, limit: 1 });
    const entry = stored ?? lastRollout(session.platform, row).find((other) => other.id === id);
    if (entry === undefined) throw notFound(`${linkOf(ref, call.platform.org)}/-eventlog/${id}`);
    return entry.body;
  });
  return reply(200, event);
}
