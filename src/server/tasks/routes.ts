import { isObject, type JsonObject, own, stringAt } from '../../base/json/json.ts';
import { collectionPath, linkOf } from '../../schema/record/ref.ts';
import { requirePermission } from '../access/permissions.ts';
import { writeIn } from '../audit/auditedWrite.ts';
import type { Caller } from '../core/caller.ts';
import type { Platform } from '../core/platform.ts';
import { existingRow } from '../core/rows.ts';
import { type Call, readIn, type Session } from '../core/session.ts';
import { ApiFailure, notFound } from '../http/apiFailure.ts';
import { itemTemplate, orgTemplate, type Route } from '../http/dispatch/route.ts';
import type { ApiReply } from '../http/message.ts';
import { parseObject } from '../http/readBody.ts';
import { Presenter, shownReply } from '../records/shown/presenter.ts';
import { noLimit, type Row, refOfRow } from '../store/model/row.ts';
import { answerIn, isEmail, isFor, taskAnswers } from './decisions/task.ts';
import { answerTask, createTask, taskList } from './taskState.ts';

const answerBody: JsonObject = {
  type: 'object',
  properties: { answer: { enum: [...taskAnswers] } },
  required: ['answer'],
};

const textFields = { targetEmail: { type: 'string' }, type: { type: 'string' }, description: { type: 'string' } };

/** Requests to people (platform/task.answers). Other operations, such as an invitation, create them. */
export const taskRoutes: readonly Route[] = [
  {
    id: 'task.forMeEverywhere',
    method: 'GET',
    path: '/task/-forme',
    summary: 'List the tasks of the caller, in all orgs',
    kind: 'task',
    permission: 'token',
    answer: 'list',
    handle: ownTasksInAllOrgs,
  },
  {
    id: 'task.listMine',
    method: 'GET',
    path: '/task',
    summary: 'List the tasks of the caller, in all orgs (the whole collection)',
    kind: 'task',
    permission: 'token',
    answer: 'list',
    handle: ownTasksInAllOrgs,
  },
  {
    id: 'task.forMe',
    method: 'GET',
    path: `${orgTemplate('task')}/-forme`,
    summary: 'List the tasks of the caller in an org',
    kind: 'task',
    permission: 'token',
    answer: 'list',
    async handle(call) {
      const items = await tasksFor(call.platform, call.caller);
      return taskList(items, `${collectionPath('task', call.platform.org)}/-forme`);
    },
  },
  {
    id: 'task.readMine',
    method: 'GET',
    path: '/task/{id}',
    summary: 'Read a task of the caller, in any org',
    kind: 'task',
    permission: 'token',
    answer: 'record',
    async handle(call) {
      const orgCall = await callInTaskOrg(call);
      return readIn(orgCall, (session) => shownReply(session, visibleTask(session, orgCall, 'view')));
    },
  },
  {
    id: 'task.answer',
    method: 'POST',
    path: '/task/{id}',
    summary: 'Answer a task; accepting it carries it out',
    kind: 'task',
    permission: 'token',
    body: answerBody,
    answer: 'record',
    handle: async (call) => answer(await callInTaskOrg(call)),
  },
  {
    id: 'task.answerInOrg',
    method: 'POST',
    path: itemTemplate('task'),
    summary: 'Answer a task of an org, also for somebody else',
    kind: 'task',
    permission: 'edit',
    body: answerBody,
    answer: 'record',
    handle: (call) => answer({ ...call, params: { ...call.params, id: call.params['name'] ?? '' } }),
  },
  {
    id: 'task.simulate',
    method: 'POST',
    path: `${orgTemplate('task')}/-simulate`,
    summary: 'Create a task',
    kind: 'task',
    permission: 'admin',
    devOnly: true,
    body: {
      type: 'object',
      properties: { ...textFields, context: { type: 'object' } },
      required: ['targetEmail'],
      additionalProperties: false,
    },
    answer: 'record',
    handle: simulate,
  },
];

async function ownTasksInAllOrgs(call: Call): Promise<ApiReply> {
  const { service } = call.platform;
  const items: string[] = [];
  for (const org of await service.database.orgs()) {
    const platform = await service.of(org);
    if (platform !== undefined) items.push(...(await tasksFor(platform, call.caller)));
  }
  return taskList(items, call.request.path);
}

/** Tasks as JSON texts, oldest first. */
function tasksFor(platform: Platform, { email }: Caller): Promise<readonly string[]> {
  if (email === undefined) return Promise.resolve([]);
  return platform.store.read((tx) => {
    const presenter = new Presenter(platform, tx);
    const mine = tx.select({ kind: 'task', limit: noLimit }).filter(({ record }) => isFor(record, email));
    return mine.map((row) => presenter.text(row));
  });
}

/**
 * The call with the platform of the org that has the task, because the path has no org. Throws 404 if there is none.
 */
async function callInTaskOrg(call: Call): Promise<Call> {
  const { service } = call.platform;
  const ref = { kind: 'task', name: call.params['id'] ?? '' } as const;
  for (const org of await service.database.orgs()) {
    const platform = await service.of(org);
    const found = await platform?.store.read((tx) => tx.get(ref) !== undefined);
    if (platform !== undefined && found === true) return { ...call, platform };
  }
  throw notFound(call.request.path);
}

/**
 * The task, if it is for the caller, or if the caller has the permission and belongs to this org. Throws 404 for
 * callers of other orgs.
 */
function visibleTask(session: Session, { params, caller, request }: Call, permission: string): Row {
  const row = session.tx.get({ kind: 'task', name: params['id'] ?? '' });
  if (row === undefined) throw notFound(request.path);
  if (caller.email !== undefined && isFor(row.record, caller.email)) return row;
  const isOwnOrg = caller.unrestricted || caller.link.startsWith(`/org/${session.platform.org}/`);
  if (!isOwnOrg) throw notFound(request.path);
  requirePermission(session, permission, row);
  return row;
}

function answer(call: Call): Promise<ApiReply> {
  const taskAnswer = answerIn(parseObject(call.request.bodyText));
  const ref = { kind: 'task', name: call.params['id'] ?? '' } as const;
  return writeIn(call, { action: 'edit', kind: 'task', ref }, (session) => {
    const task = visibleTask(session, call, 'edit');
    if (taskAnswer === undefined) throw new ApiFailure(400, `answer: must be one of ${taskAnswers.join(', ')}`);
    const others = answerTask(session, task, taskAnswer);
    const row = existingRow(session.tx, ref);
    return { reply: shownReply(session, row), others };
  });
}

function simulate(call: Call): Promise<ApiReply> {
  const body = parseObject(call.request.bodyText);
  const targetEmail = stringAt(body, 'targetEmail') ?? '';
  const context = own(body, 'context') ?? {};
  return writeIn(call, { action: 'create', kind: 'task' }, (session) => {
    if (!isEmail(targetEmail)) throw new ApiFailure(400, 'targetEmail: must be an e-mail address');
    if (!isObject(context)) throw new ApiFailure(400, 'context: must be an object');
    const others = createTask(session, {
      description: stringAt(body, 'description') ?? 'A task',
      targetEmail: targetEmail.toLowerCase(),
      creatorLink: call.caller.link,
      type: stringAt(body, 'type') ?? 'simulated',
      context,
    });
    const row = others.at(-1)?.row;
    if (row === undefined) throw new Error('no task was created');
    const headers = { location: linkOf(refOfRow(row), session.platform.org) };
    return { reply: { ...shownReply(session, row), status: 201, headers }, others };
  });
}
