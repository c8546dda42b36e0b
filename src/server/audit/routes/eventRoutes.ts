import { aKind } from '../../../kinds/kindWords.ts';
import type { Kind } from '../../../schema/record/kinds.ts';
import { linkOf, type Ref } from '../../../schema/record/ref.ts';
import { permittedRow } from '../../access/permissions.ts';
import { type Call, readIn } from '../../core/session.ts';
import { notFound } from '../../http/apiFailure.ts';
import { callRef } from '../../http/dispatch/callRef.ts';
import { itemTemplate, servedKinds } from '../../http/dispatch/kindPaths.ts';
import type { Route } from '../../http/dispatch/route.ts';
import { type ApiReply, reply } from '../../http/message.ts';
import { journalPage } from '../../query/pages/journalPage.ts';
import { lastRollout } from '../rolloutLog.ts';

/** The event log of each record: the actions of the platform on it (platform/audit.event-log). */
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
      handle: (call) => list(call, refOf(call)),
    },
    {
      id: `${kind}.event`,
      method: 'GET',
      path: `${item}/-eventlog/{id}`,
      summary: `Read an event of ${aKind(kind)}`,
      kind,
      permission: 'view',
      answer: { type: 'object' },
      handle: (call) => read(call, refOf(call)),
    },
  ];
}

async function list(call: Call, ref: Ref): Promise<ApiReply> {
  const path = `${linkOf(ref, call.platform.org)}/-eventlog`;
  const page = await readIn(call, (session) => {
    const row = permittedRow(session, 'view', ref);
    const selection = { journal: 'event', owner: row.uid } as const;
    const others = lastRollout(session.platform, row);
    return journalPage(session.tx, call.request.query, { selection, path, others });
  });
  return reply(200, { kind: 'list', itemKind: 'event', items: page.items, links: page.links });
}

async function read(call: Call, ref: Ref): Promise<ApiReply> {
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
