import { type JsonObject, type JsonValue, own, stringAt } from '../../base/json/json.ts';
import { hasMembers, isAnswered, permissions } from '../../kinds/kindFacts.ts';
import { aKind, wordsOf } from '../../kinds/kindWords.ts';
import { type Kind, kindNamed } from '../../schema/record/kinds.ts';
import { collectionPath, linkOf, parseLink, type Ref } from '../../schema/record/ref.ts';
import { type Consequence, writeIn } from '../audit/auditedWrite.ts';
import { updatePlatformRecord } from '../core/ownWrite.ts';
import { existingRow, findRow, keysOf, originOf } from '../core/rows.ts';
import { type Call, readIn, type Session, type UnitOfWork } from '../core/session.ts';
import { Slices } from '../core/slices.ts';
import { ApiFailure } from '../http/apiFailure.ts';
import { callRef, itemTemplate, orgTemplate, type Route, servedKinds } from '../http/dispatch/route.ts';
import { accessReportPermission } from '../http/limits.ts';
import { type ApiReply, reply } from '../http/message.ts';
import { parseObject, parseOptionalObject } from '../http/readBody.ts';
import { allOf, scan } from '../query/pages/recordScan.ts';
import { Presenter, shownReply } from '../records/shown/presenter.ts';
import { type Row, refOfRow } from '../store/model/row.ts';
import { emailsIn, invitation } from '../tasks/decisions/task.ts';
import { createTask, joinGroup, taskList } from '../tasks/taskState.ts';
import { targetOf, type UnstoredRecord } from './accessTarget.ts';
import { AccessReportRows, type Target } from './decisions/grants.ts';
import { permissionSchema } from './decisions/permissionCatalog.ts';
import { readPolicy } from './decisions/policyReading.ts';
import { newKey } from './decisions/tokens.ts';
import { permittedRow, requirePermission } from './permissions.ts';

const reportAnswer: JsonObject = {
  type: 'object',
  properties: {
    kind: { const: 'accessreport' },
    created: { type: 'string', format: 'date-time' },
    links: { type: 'array' },
    permissions: { type: 'array', items: { type: 'object' } },
  },
};

const schemaAnswer: JsonObject = {
  type: 'object',
  properties: {
    kind: { const: 'permissions' },
    targetKind: { type: 'string' },
    items: { type: 'array', items: { type: 'object' } },
    implied: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
    links: { type: 'array' },
  },
};

/** The kinds that a policy can target and that this platform stores. */
const schemaKinds = [...permissions.keys()].flatMap((name) => kindNamed(name) ?? []);

/** Access reports and the permissions of each kind (platform/access.report, platform/access.permissions). */
export const accessRoutes: readonly Route[] = [
  ...schemaKinds.map(schemaRoute),
  ...servedKinds.map(reportRoute),
  {
    id: 'org.accessReport',
    method: 'GET',
    path: '/org/{org}/-accessreport',
    summary: 'Report who may do what with an org, and why',
    kind: 'org',
    permission: 'viewAccessReport',
    answer: reportAnswer,
    handle(call) {
      const ref = { kind: 'org', name: call.platform.org } as const;
      return report(call, 'viewAccessReport', () => ({ kind: 'org', ref, record: ref }));
    },
  },
];

function schemaRoute(kind: Kind): Route {
  const collection = collectionPath(kind, '{org}');
  return {
    id: `${kind}.permissions`,
    method: 'GET',
    path: `${collection}/-schema/permissions`,
    summary: `List the permissions that policies can give on ${wordsOf(kind).plural}`,
    permission: 'token',
    answer: schemaAnswer,
    handle({ request }) {
      return reply(200, { ...permissionSchema(kind), links: [{ rel: 'self', href: request.path }] });
    },
  };
}

function reportRoute(kind: Kind): Route {
  return {
    id: `${kind}.accessReport`,
    method: 'GET',
    path: `${itemTemplate(kind)}/-accessreport`,
    summary: `Report who may do what with ${aKind(kind)}, and why`,
    kind,
    permission: accessReportPermission,
    answer: reportAnswer,
    handle: (call) => report(call, accessReportPermission, ({ tx }) => existingRow(tx, callRef(call, kind))),
  };
}

/** Evaluates all policies and explains each decision (platform/access.report). Reads the policies in slices. */
async function report(call: Call, permission: string, find: (session: Session) => ReportSubject): Promise<ApiReply> {
  const { org } = call.platform;
  const { kind, ref, target, created } = await readIn(call, (session) => {
    const subject = find(session);
    requirePermission(session, permission, subject);
    const ref = isUnstored(subject) ? subject.ref : refOfRow(subject);
    return { kind: subject.kind, ref, target: evaluated(targetOf(session, subject)), created: session.platform.now() };
  });
  const rows = new AccessReportRows(kind, target);
  // A caller who may see the report may see every policy behind it.
  const all = { ...allOf('policy'), viewable: () => () => true };
  await Slices.ofCall(call, async (slices) => {
    for await (const { row } of scan(call, slices, all)) {
      await slices.rest();
      rows.add({ ...readPolicy(row.record, org), link: linkOf(refOfRow(row), org) });
    }
    await slices.rest();
  });
  const head = {
    kind: 'accessreport',
    created: new Date(created).toISOString(),
    links: [{ rel: 'self', href: `${linkOf(ref, org)}/-accessreport` }],
  };
  return { status: 200, body: `${JSON.stringify(head).slice(0, -1)},"permissions":${rows.text}}` };
}

type ReportSubject = Parameters<typeof targetOf>[1];

/** Evaluates the lazy fields, which cannot be read after the transaction. */
function evaluated({ links, candidate }: Target): Target {
  const [stored, shown] = [candidate(false), candidate(true)];
  return { links, candidate: (withStatus) => (withStatus ? shown : stored) };
}

function isUnstored(subject: ReportSubject): subject is UnstoredRecord {
  return !('seq' in subject);
}

export const serviceAccountRoutes: readonly Route[] = [
  {
    id: 'serviceaccount.addKey',
    method: 'POST',
    path: `${itemTemplate('serviceaccount')}/-addKey`,
    summary: 'Add a key to a service account',
    kind: 'serviceaccount',
    permission: 'addKey',
    body: {
      type: 'object',
      properties: { description: { type: 'string', maxLength: 250 } },
      required: ['description'],
    },
    answer: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        created: { type: 'string', format: 'date-time' },
        description: { type: 'string' },
        key: { type: 'string' },
      },
    },
    async handle(call) {
      const body = parseOptionalObject(call.request.bodyText);
      const ref = callRef(call, 'serviceaccount');
      return writeIn(call, { action: 'edit', kind: 'serviceaccount', ref }, (session) => {
        const row = permittedRow(session, 'addKey', ref);
        const key = addServiceAccountKey(session, row, body);
        return { reply: reply(201, key), row: existingRow(session.tx, ref) };
      });
    },
  },
];

/**
 * Adds a key to a service account. Only this response contains its value, of which a digest is stored
 * (platform/access.tokens, platform/serviceaccount.keys).
 */
function addServiceAccountKey(work: UnitOfWork, row: Row, body: JsonObject): JsonObject {
  const { platform } = work;
  const description = stringAt(body, 'description')?.trim(); // like a record's (platform/concepts.description)
  if (description === undefined || description === '' || description.length > 250) {
    throw new ApiFailure(400, 'description: a key needs a description of 1 to 250 characters');
  }
  if (originOf(row) === 'builtin') throw new ApiFailure('built_in', `${row.name} is built in and cannot be changed`);
  const { name, key } = newKey(platform.org, row.name, platform, platform.randomText);
  const nowMs = platform.now();
  const created = new Date(nowMs).toISOString();
  const keys = [...keysOf(row), { name, created, description, digest: platform.digest(key) }];
  updatePlatformRecord(work, row, { state: { ...row.state, keys } });
  return { name, created, description, key };
}

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

/** Creates a task for each person who is not yet in the org, and returns these tasks. */
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

/** An invitation to a group changes the group, so the caller needs the permission to edit it. */
function groupIn(session: Session, link: JsonValue | undefined): Ref | undefined {
  if (link === undefined || link === null) return undefined;
  const ref = typeof link === 'string' ? parseLink(link, { org: session.platform.org }) : undefined;
  const group = ref?.org === session.platform.org && hasMembers(ref.ref.kind) ? session.tx.get(ref.ref) : undefined;
  if (group === undefined) throw new ApiFailure(400, `groupLink: ${JSON.stringify(link)} is not a group of this org`);
  requirePermission(session, 'edit', group);
  return refOfRow(group);
}
