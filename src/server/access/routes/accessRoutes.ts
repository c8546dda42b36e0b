import type { JsonObject } from '../../../base/json/json.ts';
import { permissions } from '../../../kinds/kindFacts.ts';
import { aKind, wordsOf } from '../../../kinds/kindWords.ts';
import { type Kind, kindNamed } from '../../../schema/record/kinds.ts';
import { collectionPath, linkOf } from '../../../schema/record/ref.ts';
import { existingRow } from '../../core/findRow.ts';
import { type Call, readIn, type Session } from '../../core/session.ts';
import { Slices } from '../../core/slices.ts';
import { callRef } from '../../http/dispatch/callRef.ts';
import { itemTemplate, servedKinds } from '../../http/dispatch/kindPaths.ts';
import type { Route } from '../../http/dispatch/route.ts';
import { accessReportPermission } from '../../http/limits.ts';
import { type ApiReply, reply } from '../../http/message.ts';
import { allOf, scan } from '../../query/pages/recordScan.ts';
import { refOfRow } from '../../store/model/row.ts';
import { type Prospect, targetOf } from '../accessTarget.ts';
import { AccessRows } from '../decisions/accessReport.ts';
import type { Target } from '../decisions/grants.ts';
import { permissionSchema } from '../decisions/permissionCatalog.ts';
import { readPolicy } from '../decisions/policyReading.ts';
import { requirePermission } from '../permissions.ts';

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

/** The kinds that a policy can target and that this platform has records of. */
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
    summary: `List the permissions that policies can give on ${wordsOf(kind).many}`,
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

/** Evaluates all policies and explains each decision (platform/access.report). The policies are read in slices. */
async function report(call: Call, permission: string, find: (session: Session) => Asked): Promise<ApiReply> {
  const { org } = call.platform;
  const { kind, ref, target, created } = await readIn(call, (session) => {
    const asked = find(session);
    requirePermission(session, permission, asked);
    const ref = isProspect(asked) ? asked.ref : refOfRow(asked);
    return { kind: asked.kind, ref, target: asSeenNow(targetOf(session, asked)), created: session.platform.now() };
  });
  const rows = new AccessRows(kind, target);
  // A caller who may see the report sees every policy that it is based on.
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

type Asked = Parameters<typeof targetOf>[1];

/** Evaluates the lazy fields now: they cannot be read after the transaction. */
function asSeenNow({ links, candidate }: Target): Target {
  const [stored, shown] = [candidate(false), candidate(true)];
  return { links, candidate: (withStatus) => (withStatus ? shown : stored) };
}

function isProspect(asked: Asked): asked is Prospect {
  return !('seq' in asked);
}
