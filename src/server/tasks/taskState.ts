import { type JsonObject, listAt, objectAt, stringAt } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { linkOf, parseLink } from '../../schema/record/ref.ts';
import type { Consequence } from '../audit/auditedWrite.ts';
import { insertPlatformRecord, updatePlatformRecord } from '../core/ownWrite.ts';
import { findRow } from '../core/rows.ts';
import type { Session } from '../core/session.ts';
import { ApiFailure } from '../http/apiFailure.ts';
import { invitationTask } from '../http/limits.ts';
import type { ApiReply } from '../http/message.ts';
import { requireQuota } from '../records/shown/quotaUse.ts';
import { noLimit, type Row, refOfRow } from '../store/model/row.ts';
import {
  completed,
  isPending,
  isSameInvitation,
  type TaskAnswer,
  type TaskFields,
  type TaskOutcome,
} from './decisions/task.ts';

/** Creates a task; its name is its id (platform/task). An invitation replaces an older pending one. */
export function createTask(session: Session, fields: TaskFields): readonly Consequence[] {
  const { platform, tx } = session;
  const older = tx
    .select({ kind: 'task', limit: noLimit })
    .filter((row) => isPending(row) && isSameInvitation(row.record, fields));
  const canceled = older.map(
    (row): Consequence => ({ action: 'edit', row: endTask(session, row, { status: 'canceled' }) }),
  );
  const uid = platform.newId();
  const task = { kind: 'task', name: uid, record: { ...fields }, state: { shown: { status: 'pending' } } } as const;
  const row = insertPlatformRecord(session, task, { uid });
  return [...canceled, { action: 'create', row }];
}

/**
 * Answers a task. Throws 409 if it is complete or canceled. Returns the consequences of an acceptance, ending with the
 * task itself.
 */
export function answerTask(session: Session, task: Row, answer: TaskAnswer): readonly Consequence[] {
  if (!isPending(task)) throw new ApiFailure(409, `the task ${task.name} is no longer pending`);
  const consequences =
    answer === 'accept' && stringAt(task.record, 'type') === invitationTask ? admit(session, task.record) : [];
  return [...consequences, { action: 'edit', row: endTask(session, task, completed(answer)) }];
}

function endTask(session: Session, task: Row, { status, response }: TaskOutcome): Row {
  return updatePlatformRecord(session, task, { state: { ...task.state, shown: { status, ...present({ response }) } } });
}

/** Adds the invited person to the org, and to the group if it still exists. */
function admit(session: Session, invitation: JsonObject): readonly Consequence[] {
  const { platform, tx } = session;
  const user = ensureUser(session, stringAt(invitation, 'targetEmail') ?? '');
  const link = stringAt(objectAt(invitation, 'context'), 'groupLink');
  const ref = link === undefined ? undefined : parseLink(link, { org: platform.org })?.ref;
  const group = ref === undefined ? undefined : tx.get(ref);
  return [...user.created, ...(group?.kind === 'group' ? joinGroup(session, group, user.row) : [])];
}

interface EnsuredUser {
  readonly row: Row;
  readonly created: readonly Consequence[];
}

function ensureUser(session: Session, email: string): EnsuredUser {
  const { tx } = session;
  const known = findRow(tx, { kind: 'user', name: email });
  if (known !== undefined) return { row: known, created: [] };
  requireQuota(tx, 'user', {});
  const record = { name: email, description: email, tags: {}, email, idp: 'local' };
  const row = insertPlatformRecord(session, { kind: 'user', name: email, record, state: {} });
  return { row, created: [{ action: 'create', row }] };
}

/** The maximum number of members of a group (platform/group.members). */
const mostMembers = 200;

/** Returns an empty list if the user already is a member. */
export function joinGroup(session: Session, group: Row, user: Row): readonly Consequence[] {
  const { platform } = session;
  const known = new Set([user.name, user.uid].map((name) => linkOf({ kind: 'user', name }, platform.org)));
  const members = listAt(group.record, 'memberLinks');
  if (members.some((link) => typeof link === 'string' && known.has(link))) return [];
  if (members.length >= mostMembers) {
    throw new ApiFailure(400, `the group ${group.name} already has ${mostMembers} members`);
  }
  const memberLinks = [...members, linkOf(refOfRow(user), platform.org)];
  return [{ action: 'edit', row: updatePlatformRecord(session, group, { record: { ...group.record, memberLinks } }) }];
}

/** `items`: records as JSON texts. */
export function taskList(items: readonly string[], self: string): ApiReply {
  const links = JSON.stringify([{ rel: 'self', href: self }]);
  return { status: 200, body: `{"kind":"list","itemKind":"task","items":[${items.join(',')}],"links":${links}}` };
}
