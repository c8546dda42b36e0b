import { deletionStatus, maxSecretBytes } from '../../rules/limits.ts';
import { type JsonObject, own, stringAt } from '../../../schema/json/json.ts';
import { isCreatableKind, isGvcScoped, type Kind, undeletableKinds } from '../../../schema/record/kinds.ts';
import { linkOf } from '../../../schema/record/links.ts';
import { ApiFailure, notFound } from '../../http/apiFailure.ts';
import { type ApiReply, reply } from '../../http/message.ts';
import { parseObject, parseOptionalObject } from '../../http/readBody.ts';
import { aKind, wordsOf } from '../../rules/openapi/kindWords.ts';
import { requireOthersRecord, requirePermission } from '../../access/permissions.ts';
import { callRef } from '../../dispatch/callRef.ts';
import { existingRow, findRow, requireParent } from '../../core/findRow.ts';
import { collectionTemplate, itemTemplate, orgTemplate, servedKinds } from '../../dispatch/kindPaths.ts';
import { listPage, queryPage } from '../pages/listPage.ts';
import { Presenter } from '../../presenter/presenter.ts';
import { removeRecord } from '../../records/removeRecord.ts';
import type { Route } from '../../dispatch/route.ts';
import { writeIn } from '../../journals/auditedWrite.ts';
import { type Call, readIn } from '../../core/session.ts';
import { createRecord, patchRecord, replaceRecord } from '../../records/writeRecord.ts';
import { writtenReply, writeRecordIn } from '../../records/writtenReply.ts';

const summaries: Readonly<Record<string, (kind: Kind) => string>> = {
  list: (kind) => `List ${wordsOf(kind).many}`,
  listInOrg: (kind) => `List the ${wordsOf(kind).many} of all GVCs`,
  query: (kind) => `Query ${wordsOf(kind).many}`,
  queryInOrg: (kind) => `Query the ${wordsOf(kind).many} of all GVCs`,
  read: (kind) => `Read ${aKind(kind)}`,
  edit: (kind) => `Change ${aKind(kind)} by a patch`,
  delete: (kind) => `Delete ${aKind(kind)}`,
  create: (kind) => `Create ${aKind(kind)}`,
  upsert: (kind) => `Create or replace ${aKind(kind)}`,
  replace: (kind) => `Replace ${aKind(kind)}, or create it`,
};

/** List, query, create, read, change, replace and delete, for each kind (platform/wire.operations). */
export const recordRoutes: readonly Route[] = servedKinds.flatMap(routesOf);

function routesOf(kind: Kind): readonly Route[] {
  const collection = collectionTemplate(kind);
  const item = itemTemplate(kind);
  const routes: Route[] = [...readingRoutes(kind, orgTemplate(kind), isGvcScoped(kind) ? 'InOrg' : '')];
  if (isGvcScoped(kind)) routes.push(...readingRoutes(kind, collection, ''));
  routes.push(route(kind, 'read', 'GET', item, 'view', 'record', (call) => read(call, kind)));
  // A task is answered, not changed (platform/task.answers).
  if (kind !== 'task') {
    routes.push(route(kind, 'edit', 'PATCH', item, 'edit', 'record', (call) => change(call, kind), 'patch'));
  }
  if (!undeletableKinds.has(kind)) {
    routes.push(route(kind, 'delete', 'DELETE', item, 'delete', 'empty', (call) => erase(call, kind)));
  }
  if (isCreatableKind(kind)) {
    routes.push(
      route(kind, 'create', 'POST', collection, 'create', 'record', (call) => post(call, kind), 'record'),
      route(kind, 'upsert', 'PUT', collection, 'edit', 'record', (call) => put(call, kind), 'record'),
      route(kind, 'replace', 'PUT', item, 'edit', 'record', (call) => put(call, kind), 'record'),
    );
  }
  return routes;
}

function readingRoutes(kind: Kind, path: string, suffix: string): readonly Route[] {
  return [
    route(kind, `list${suffix}`, 'GET', path, 'view', 'list', (call) => list(call, kind)),
    route(
      kind,
      `query${suffix}`,
      'POST',
      `${path}/-query`,
      'view',
      'queryresult',
      (call) => query(call, kind),
      'query',
    ),
  ];
}

function route(
  kind: Kind,
  operation: string,
  method: Route['method'],
  path: string,
  permission: string,
  answer: Route['answer'],
  handle: Route['handle'],
  body?: Route['body'],
): Route {
  const summary = summaries[operation]?.(kind) ?? operation;
  const base = { id: `${kind}.${operation}`, method, path, summary, kind, permission, answer, handle };
  if (body === undefined) return base;
  return kind === 'secret' && body !== 'query' ? { ...base, body, mostBodyBytes: maxSecretBytes } : { ...base, body };
}

async function list(call: Call, kind: Kind): Promise<ApiReply> {
  return { status: 200, body: await listPage(call, { kind, gvc: call.params['gvc'] }) };
}

async function query(call: Call, kind: Kind): Promise<ApiReply> {
  const asked = parseOptionalObject(call.request.bodyText);
  return { status: 200, body: await queryPage(call, { kind, gvc: call.params['gvc'] }, asked) };
}

/** One that is being deleted is shown too (platform/wire.writes). */
async function read(call: Call, kind: Kind): Promise<ApiReply> {
  const ref = callRef(call, kind);
  const body = await readIn(call, (session) => {
    const { platform, tx } = session;
    const row = findRow(tx, ref) ?? tx.leaving(ref);
    if (row === undefined) throw notFound(linkOf(ref, platform.org));
    requirePermission(session, 'view', row);
    return new Presenter(platform, tx).text(row);
  });
  return { status: 200, body };
}

function change(call: Call, kind: Kind): Promise<ApiReply> {
  const body = parseObject(call.request.bodyText);
  const ref = callRef(call, kind);
  return writeRecordIn(call, { action: 'edit', kind, ref }, (writing) => {
    const row = existingRow(writing.tx, ref, writing.platform.org);
    requirePermission(writing, 'edit', row);
    return writtenReply(writing, patchRecord(writing, row, body), 200);
  });
}

function erase(call: Call, kind: Kind): Promise<ApiReply> {
  const ref = callRef(call, kind);
  return writeIn(call, { action: 'delete', kind, ref }, (session) => {
    const row = existingRow(session.tx, ref, session.platform.org);
    requirePermission(session, 'delete', row);
    requireOthersRecord(session, row);
    const others = removeRecord(session, row, call.request);
    return { reply: reply(deletionStatus, {}), row, others };
  });
}

function post(call: Call, kind: Kind): Promise<ApiReply> {
  const body = parseObject(call.request.bodyText);
  const { gvc } = call.params;
  const ref = callRef({ params: { ...call.params, name: stringAt(body, 'name') ?? '' } }, kind);
  return writeRecordIn(call, { action: 'create', kind, ref }, (writing) => {
    requireParent(writing.tx, gvc, writing.platform.org);
    return writtenReply(writing, createRecord(writing, kind, gvc, body), 201);
  });
}

/** On the collection as on the record: the two differ in where the name stands (platform/wire.operations). */
function put(call: Call, kind: Kind): Promise<ApiReply> {
  const sent = parseObject(call.request.bodyText);
  const body = named(sent, call.params['name']);
  const ref = callRef({ params: { ...call.params, name: stringAt(body, 'name') ?? '' } }, kind);
  return writeRecordIn(call, { action: 'edit', kind, ref }, (writing) => {
    requireParent(writing.tx, ref.gvc, writing.platform.org);
    const row = writing.tx.get(ref);
    if (row === undefined) return writtenReply(writing, createRecord(writing, kind, ref.gvc, body), 201);
    requirePermission(writing, 'edit', row);
    return writtenReply(writing, replaceRecord(writing, row, body), 200);
  });
}

function named(sent: JsonObject, name: string | undefined): JsonObject {
  if (name === undefined) return sent;
  const stated = own(sent, 'name') ?? name;
  if (stated === name) return { ...sent, name };
  throw new ApiFailure(400, `the name is ${JSON.stringify(stated)}, not ${JSON.stringify(name)}`);
}
