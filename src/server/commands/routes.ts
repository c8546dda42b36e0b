import {
  At,
  choice,
  document,
  integer,
  json,
  object,
  optional,
  optionals,
  type Reader,
  text as textReader,
  tryRead,
} from '../../base/form/read.ts';
import { type JsonObject, mapMembers, objectAt, own } from '../../base/json/json.ts';
import { withArticle } from '../../base/text/article.ts';
import { aKind } from '../../kinds/kindWords.ts';
import { bodyProblems, type Problem } from '../../schema/record/problem.ts';
import { linkOf, type Ref } from '../../schema/record/ref.ts';
import { requirePermission } from '../access/permissions.ts';
import { writeIn } from '../audit/auditedWrite.ts';
import { addCommand, type CommandType, changeCommand, findCommand, stageOf, statusOf } from '../audit/commandLog.ts';
import { aboutCommand } from '../audit/decisions/auditEvent.ts';
import { type Call, readIn, type Session } from '../core/session.ts';
import { Slices } from '../core/slices.ts';
import { ApiFailure, invalid, notFound } from '../http/apiFailure.ts';
import { callRef, itemTemplate, type Route } from '../http/dispatch/route.ts';
import { cancellationMs, deletionStatus, usualPage } from '../http/limits.ts';
import { type ApiReply, reply } from '../http/message.ts';
import { parseObject, parseOptionalObject } from '../http/readBody.ts';
import type { Query, Sort } from '../query/decisions/query.ts';
import { matches } from '../query/decisions/queryMatch.ts';
import { type SortPosition, sortPosition } from '../query/decisions/sortPosition.ts';
import { askedQuery, carriedQuery, echoedQuery } from '../query/pages/askedQuery.ts';
import { filteredJournalPage, type JournalPage, scanJournal } from '../query/pages/journalPage.ts';
import { encode, pageLinks } from '../query/pages/paging.ts';
import { SortedPage } from '../query/pages/sortedPage.ts';
import type { Entry, Row } from '../store/model/row.ts';
import { type CommandedKind, commandedKinds, ownerRow, shownOwnerRow } from './commandOwner.ts';
import { cancelCommand, commandTypeOf, commandTypes } from './commandTypes.ts';
import { decideCancellation, isTerminal, stages } from './decisions/lifecycle.ts';

const text = { type: 'string' };
const time = { type: 'string', format: 'date-time' };

/** A command in responses (platform/commands). */
const commandAnswer: JsonObject = {
  type: 'object',
  properties: {
    kind: { type: 'string', enum: ['command'] },
    id: text,
    ownerId: text,
    version: { type: 'integer' },
    created: time,
    lastModified: time,
    links: { type: 'array', items: { type: 'object', properties: { rel: text, href: text } } },
    tags: { type: 'object' },
    type: text,
    spec: { type: 'object' },
    lifecycleStage: { type: 'string', enum: [...stages] },
    status: { type: 'object' },
  },
  required: ['kind', 'id', 'ownerId', 'version', 'created', 'lastModified', 'links', 'type', 'spec', 'lifecycleStage'],
};

/** The body of a new command, with one form for each type. */
function createBody(types: readonly CommandType[]): JsonObject {
  return {
    oneOf: types.map(({ type, spec }) => {
      const needsSpec = spec.schema['required'] !== undefined;
      const members = { type: choice(type), spec: needsSpec ? spec : optional(spec), tags: optional(document) };
      return object(members).schema;
    }),
  };
}

/** The body of a PATCH of a command (platform/commands.stages). */
const patchBody = object({
  lifecycleStage: choice('cancelled', 'cancellation-requested'),
  version: optional(integer()),
  id: optional(textReader),
});

/** Platform-owned members of a command, ignored in requests as for every record (platform/wire.writes). */
const readOnly = [
  ...['id', 'kind', 'ownerId', 'version', 'created', 'lastModified', 'links', 'lifecycleStage', 'status'],
] as const;

const envelope = object({
  type: textReader,
  spec: optional(document),
  tags: optional(document),
  ...optionals(Object.fromEntries(readOnly.map((name) => [name, json]))),
});

/** The commands of each kind that has them (platform/wire.paths, platform/commands). */
export const commandRoutes: readonly Route[] = commandedKinds.flatMap(routesOf);

function routesOf(kind: CommandedKind): readonly Route[] {
  const path = `${itemTemplate(kind)}/-command`;
  const itemPath = `${path}/{id}`;
  const types = commandTypes.filter(({ owner }) => owner === kind);
  return [
    {
      ...operationFields(kind, 'list', 'List the commands', 'view'),
      ...{ method: 'GET', path, answer: 'list', handle: (call) => list(call, kind) },
    },
    {
      ...operationFields(kind, 'create', 'Create a command', 'exec'),
      ...{ method: 'POST', path, body: createBody(types), answer: commandAnswer, handle: (call) => create(call, kind) },
    },
    {
      ...operationFields(kind, 'query', 'Query the commands', 'view'),
      ...{ method: 'POST', path: `${path}/-query`, body: 'query', answer: 'queryresult' },
      handle: (call) => query(call, kind),
    },
    {
      ...operationFields(kind, 'read', 'Read a command', 'view'),
      ...{ method: 'GET', path: itemPath, answer: commandAnswer, handle: (call) => read(call, kind) },
    },
    {
      ...operationFields(kind, 'cancel', 'Cancel a command', 'exec'),
      ...{
        method: 'PATCH',
        path: itemPath,
        body: patchBody.schema,
        answer: commandAnswer,
        handle: (call) => change(call, kind),
      },
    },
    {
      ...operationFields(kind, 'delete', 'Delete or cancel a command', 'exec'),
      ...{ method: 'DELETE', path: itemPath, answer: 'empty', handle: (call) => remove(call, kind) },
    },
  ];
}

function operationFields(kind: CommandedKind, operation: string, words: string, permission: string) {
  return { id: `${kind}.command.${operation}`, kind, summary: `${words} of ${aKind(kind)}`, permission };
}

/** Newest first, or a later page of a query (platform/wire.lists, platform/commands). */
async function list(call: Call, kind: CommandedKind): Promise<ApiReply> {
  const commands = await readIn(call, (session) => commandsOf(session, call, kind));
  return reply(200, { kind: 'list', ...(await page(call, commands, carriedQuery(call.request.query))) });
}

/** The first page of a query (platform/wire.paths, platform/query). */
async function query(call: Call, kind: CommandedKind): Promise<ApiReply> {
  const requested = parseOptionalObject(call.request.bodyText);
  const commands = await readIn(call, (session) => commandsOf(session, call, kind));
  const found = await page(call, commands, requested);
  return reply(200, { kind: 'queryresult', ...found, query: echoedQuery(requested, 'command') });
}

/** The commands of one record. */
interface Commands {
  readonly owner: Row;
  /** The path of the collection, such as `/org/o/gvc/g/workload/w/-command`. */
  readonly path: string;
}

function commandsOf(session: Session, call: Call, kind: CommandedKind): Commands {
  const ref = callRef(call, kind);
  const owner = shownOwnerRow(session.tx, ref);
  requirePermission(session, 'view', owner);
  return { owner, path: commandsPath(ref, session) };
}

function commandsPath(ref: Ref, { platform }: Session): string {
  return `${linkOf(ref, platform.org)}/-command`;
}

async function read(call: Call, kind: CommandedKind): Promise<ApiReply> {
  const command = await readIn(call, (session) => {
    const { owner, path } = commandsOf(session, call, kind);
    return commandOf(session, owner, path, call.params['id'] ?? '');
  });
  return reply(200, command.body);
}

function commandOf({ tx }: Session, owner: Row, path: string, id: string): Entry {
  const command = findCommand(tx, id);
  if (command === undefined || command.owner !== owner.uid) throw notFound(`${path}/${id}`);
  return command;
}

/** Always answers 201 with `Location` (platform/wire.operations). */
function create(call: Call, kind: CommandedKind): Promise<ApiReply> {
  const body = parseObject(call.request.bodyText);
  const ref = callRef(call, kind);
  return writeIn(call, { action: 'exec', kind, ref }, (session) => {
    const { platform, tx } = session;
    const row = ownerRow(tx, ref);
    const command = readCommand(body, kind, commandTypes);
    // A caller who may not see the record learns nothing about its commands.
    requirePermission(session, command.ok ? `exec.${command.type.type}` : 'view', row);
    if (!command.ok) throw invalid(command.problems);

    const { type, spec, tags } = command;
    const id = platform.newId();
    const state = type.begin(session, row, { id, spec });
    const shown = addCommand(session, row, { id, type: type.type, spec, tags }, state);
    const location = `${commandsPath(ref, session)}/${id}`;
    return { reply: reply(201, shown, { location }), row, about: aboutCommand(id, type.type, spec) };
  });
}

/** Writes one command of a record. Requires the permission to create a command of that type. */
function writeCommand(
  call: Call,
  kind: CommandedKind,
  work: (session: Session, row: Row, command: Entry) => ApiReply,
): Promise<ApiReply> {
  const ref = callRef(call, kind);
  return writeIn(call, { action: 'exec', kind, ref }, (session) => {
    const row = ownerRow(session.tx, ref);
    const known = findCommand(session.tx, call.params['id'] ?? '');
    // A caller who may not see the record does not learn which commands exist.
    requirePermission(session, known?.owner === row.uid ? `exec.${known.kind}` : 'view', row);
    const command = commandOf(session, row, commandsPath(ref, session), call.params['id'] ?? '');
    const about = aboutCommand(command.id, command.kind, objectAt(command.body, 'spec'));
    return { reply: work(session, row, command), row, about };
  });
}

function change(call: Call, kind: CommandedKind): Promise<ApiReply> {
  const body = parseObject(call.request.bodyText);
  const requested = tryRead(() => patchBody.read(body, new At()));
  return writeCommand(call, kind, (session, row, command) => {
    if ('problems' in requested) throw invalid(bodyProblems(requested.problems));
    requireMatch(command, requested.value);
    cancel(session, row, command, requested.value.lifecycleStage);
    return reply(200, findCommand(session.tx, command.id)?.body ?? command.body);
  });
}

/** Optimistic concurrency, as for records (platform/concepts.version). */
function requireMatch(command: Entry, { version, id }: { readonly version?: number; readonly id?: string }): void {
  if (version !== undefined && version !== own(command.body, 'version')) {
    throw new ApiFailure('version_mismatch', `version ${version} was expected, the command has another`);
  }
  if (id !== undefined && id !== command.id) throw new ApiFailure('version_mismatch', 'the command has another id');
}

function cancel(session: Session, row: Row, command: Entry, requested: 'cancellation-requested' | 'cancelled'): void {
  const decided = decideCancellation(stageOf(command), requested, commandTypeOf(command)?.cancel !== undefined);
  switch (decided.action) {
    case 'refuse':
      throw new ApiFailure(409, decided.reason);
    case 'nothing':
      return;
    case 'cancel':
      cancelCommand(session, row, command);
      return;
    case 'request': {
      const { id } = command;
      changeCommand(session, id, { lifecycleStage: 'cancellation-requested', status: statusOf(command) });
      const atMs = session.platform.now() + cancellationMs;
      session.tx.schedule({ key: `command.cancel/${id}`, atMs, job: 'command.cancel', about: { id } });
    }
  }
}

/** Cancels a cancellable command in progress; removes one that has ended (platform/commands.stages). */
function remove(call: Call, kind: CommandedKind): Promise<ApiReply> {
  return writeCommand(call, kind, (session, row, command) => {
    if (isTerminal(stageOf(command))) session.tx.dropEntry(command);
    else cancel(session, row, command, 'cancellation-requested');
    return reply(deletionStatus, {});
  });
}

async function page(call: Call, commands: Commands, body: JsonObject | undefined): Promise<JsonObject> {
  const query = body === undefined ? undefined : askedQuery(body, 'command');
  const carried = body === undefined ? {} : { query: encode(body) };
  const { items, links } =
    query?.sort === undefined
      ? await inOrder(call, commands, query, carried)
      : await sorted(call, commands, { ...query, sort: query.sort }, carried);
  if (query?.links !== true) return { itemKind: 'command', items, links };
  return { itemKind: 'link', items: items.map((item) => `${commands.path}/${String(own(item, 'id'))}`), links };
}

type CarriedQuery = Readonly<Record<string, string>>;

/** The commands, newest first. */
function inOrder(
  call: Call,
  { owner, path }: Commands,
  query: Query | undefined,
  carried: CarriedQuery,
): Promise<JournalPage> {
  const question = { selection: { journal: 'command', owner: owner.uid }, path, carried } as const;
  return filteredJournalPage(call, question, ({ body }) => {
    return query === undefined || matches({ fields: body, gvc: owner.gvc }, query);
  });
}

/** The commands ordered by a field, which requires reading all matches; equal ones newest first. */
async function sorted(
  call: Call,
  { owner, path }: Commands,
  query: Query & { readonly sort: Sort },
  carried: CarriedQuery,
): Promise<JournalPage> {
  const { sort } = query;
  const ordered = new SortedPage<SortPosition & { readonly fields: JsonObject }>(call.request.query, sort);
  const selection = { journal: 'command', owner: owner.uid } as const;
  await Slices.ofCall(call, async (slices) => {
    for await (const { body: fields, atMs, seq } of scanJournal(call, slices, selection, usualPage)) {
      if (matches({ fields, gvc: owner.gvc }, query))
        ordered.add({ ...sortPosition(fields, sort, [-atMs, -seq]), fields });
    }
  });
  const { shown, nextCursor, limit } = ordered.page();
  const next = nextCursor === undefined ? undefined : { ...carried, limit: String(limit), next: nextCursor };
  return { items: shown.map(({ fields }) => fields), links: pageLinks(path, next) };
}

/** The part of a command type that determines its body. */
interface CommandBodyType {
  readonly owner: string;
  readonly type: string;
  readonly spec: Reader<unknown>;
}

type ReadCommand<T extends CommandBodyType> =
  | { readonly ok: true; readonly type: T; readonly spec: JsonObject; readonly tags: JsonObject }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Reads the body of `POST <item>/-command` (platform/commands): `type`, `spec` by the schema of that type, `tags`. */
export function readCommand<T extends CommandBodyType>(
  body: JsonObject,
  owner: string,
  types: readonly T[],
): ReadCommand<T> {
  const at = new At();
  const read = tryRead(() => envelope.read(body, at));
  if ('problems' in read) return { ok: false, problems: bodyProblems(read.problems) };
  const { type: name, tags = {} } = read.value;
  const type = types.find((each) => each.owner === owner && each.type === name);
  if (type === undefined) return { ok: false, problems: [unknownType(name, owner, types)] };
  const spec = withoutNullMembers(read.value.spec ?? {});
  const checked = tryRead(() => type.spec.read(spec, at.key('spec')));
  if ('problems' in checked) return { ok: false, problems: bodyProblems(checked.problems) };
  return { ok: true, type, spec, tags: withoutNullMembers(tags) };
}

/** Treats a `null` member as omitted, as every other request does (platform/concepts.tags). */
function withoutNullMembers(object: JsonObject): JsonObject {
  return mapMembers(object, (value) => value ?? undefined);
}

function unknownType(name: string, owner: string, types: readonly CommandBodyType[]): Problem {
  const known = types.filter((each) => each.owner === owner).map((each) => each.type);
  const elsewhere = types.find((each) => each.type === name);
  const message =
    elsewhere === undefined
      ? `${JSON.stringify(name)} is not a type of command; ${withArticle(owner)} takes ${known.join(', ')}`
      : `${name} is a command of ${withArticle(elsewhere.owner)}; ${withArticle(owner)} takes ${known.join(', ')}`;
  return { rule: 'command.type', path: 'type', pointer: ['type'], message, severity: 'error' };
}
