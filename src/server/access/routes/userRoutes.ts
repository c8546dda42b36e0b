import { type JsonValue, own } from '../../../base/json/json.ts';
import { hasMembers, isAnswered } from '../../../kinds/kindFacts.ts';
import { collectionPath, linkOf, parseLink, type Ref } from '../../../schema/record/ref.ts';
import { type Consequence, writeIn } from '../../audit/auditedWrite.ts';
import { findRow } from '../../core/findRow.ts';
import { type Call, readIn, type Session } from '../../core/session.ts';
import { ApiFailure } from '../../http/apiFailure.ts';
import { orgTemplate } from '../../http/dispatch/kindPaths.ts';
import type { Route } from '../../http/dispatch/route.ts';
import type { ApiReply } from '../../http/message.ts';
import { parseObject } from '../../http/readBody.ts';
import { Presenter } from '../../records/shown/presenter.ts';
import { shownReply } from '../../records/shown/shownReply.ts';
import { refOfRow } from '../../store/model/row.ts';
import { emailsIn, invitation } from '../../tasks/decisions/task.ts';
import { createTask, joinGroup, taskList } from '../../tasks/taskState.ts';
import { permittedRow, requirePermission } from '../permissions.ts';

export const userRoutes: readonly Route[] = [
  {
    id: 'user.forEmail',
    method: 'GET',
    path: `${orgTemplate('user')}/-for/email/{email}`,
    summary: 'Find a user by e-mail address',
    kind: 'user',
    permission: 'view',
    answer: 'record',
    handle(call) {
      const ref = { kind: 'user', name: call.params['email'] ?? '' } as const;
      return readIn(call, (session) => shownReply(session, permittedRow(session, 'view', ref)));
    },
  },
  {
    id: 'user.invite',
    method: 'POST',
    path: `${orgTemplate('user')}/-invite`,
    summary: 'Invite people into the org, and into a group',
    kind: 'user',
    permission: 'invite',
    body: {
      type: 'object',
      properties: {
        emails: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 200 },
        groupLink: { type: 'string' },
      },
      required: ['emails'],
    },
    answer: 'list',
    handle: invite,
  },
];

/** Creates a task for each person who is not in the org yet, and answers with these tasks. */
function invite(call: Call): Promise<ApiReply> {
  const body = parseObject(call.request.bodyText);
  const emails = emailsIn(body);
  return writeIn(call, { action: 'create', kind: 'user' }, (session) => {
    const { platform, tx } = session;
    if (typeof emails === 'string') throw new ApiFailure(400, emails);
    for (const email of emails) {
      requirePermission(session, 'invite', { kind: 'user', ref: { kind: 'user', name: email }, record: { email } });
    }
    const groupRef = groupIn(session, own(body, 'groupLink'));
    const others: Consequence[] = [];
    for (const email of emails) {
      const user = findRow(tx, { kind: 'user', name: email });
      const group = groupRef === undefined ? undefined : tx.get(groupRef);
      if (user !== undefined) {
        if (group !== undefined) others.push(...joinGroup(session, group, user));
        continue;
      }
      const groupLink = groupRef === undefined ? {} : { groupLink: linkOf(groupRef, platform.org) };
      const fields = invitation(email, { org: platform.org, creatorLink: call.caller.link, ...groupLink });
      others.push(...createTask(session, fields));
    }
    const presenter = new Presenter(platform, tx);
    const tasks = others.filter(({ action, row }) => action === 'create' && isAnswered(row.kind));
    const items = tasks.map(({ row }) => presenter.text(row));
    return { reply: taskList(items, collectionPath('task', platform.org)), others };
  });
}

/** An invitation into a group changes the group, so the caller needs the permission to edit it. */
function groupIn(session: Session, given: JsonValue | undefined): Ref | undefined {
  if (given === undefined || given === null) return undefined;
  const ref = typeof given === 'string' ? parseLink(given, { org: session.platform.org }) : undefined;
  const group = ref?.org === session.platform.org && hasMembers(ref.ref.kind) ? session.tx.get(ref.ref) : undefined;
  if (group === undefined) throw new ApiFailure(400, `groupLink: ${JSON.stringify(given)} is not a group of this org`);
  requirePermission(session, 'edit', group);
  return refOfRow(group);
}
