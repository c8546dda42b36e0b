import type { JsonObject } from '../../schema/json.ts';
import { gvcScopedKinds } from '../../schema/kinds.ts';
import { reply } from '../http/message.ts';
import type { Transaction } from '../store/row.ts';
import type { Route } from './route.ts';
import { readIn } from './session.ts';

/** Every directive of a PATCH is honoured here: planners may use all list keys (design 2). */
const discovery: JsonObject = { endpoints: {}, idp: {}, directives: 'all' };

/** What answers here; needs no token (protocol 1.4). */
const about: JsonObject = { name: 'gantry' };

export const orgRoutes: readonly Route[] = [
  {
    id: 'discovery',
    method: 'GET',
    path: '/discovery',
    summary: 'Where the services are',
    permission: 'none',
    answer: { type: 'object' },
    handle: () => reply(200, discovery),
  },
  {
    id: 'about',
    method: 'GET',
    path: '/about',
    summary: 'What answers here',
    permission: 'none',
    answer: { type: 'object' },
    handle: () => reply(200, about),
  },
  {
    id: 'org.list',
    method: 'GET',
    path: '/org',
    summary: 'The orgs that the caller may see',
    permission: 'token',
    answer: 'list',
    async handle(call) {
      const items = [await readIn(call, ({ tx }) => orgRecord(tx))];
      return reply(200, { kind: 'list', itemKind: 'org', items, links: [{ rel: 'self', href: '/org' }] });
    },
  },
  {
    id: 'org.read',
    method: 'GET',
    path: '/org/{org}',
    summary: 'The org',
    permission: 'token',
    answer: { type: 'object' },
    handle: async (call) => reply(200, await readIn(call, ({ tx }) => orgRecord(tx))),
  },
];

function orgRecord(tx: Transaction): JsonObject {
  const { org } = tx;
  const created = tx.fact('created') ?? '';
  return {
    kind: 'org',
    id: tx.fact('orgId') ?? '',
    name: org,
    description: org,
    version: 1,
    tags: {},
    created,
    lastModified: created,
    links: [
      { rel: 'self', href: `/org/${org}` },
      ...['gvc', 'domain', ...gvcScopedKinds].map((kind) => ({ rel: kind, href: `/org/${org}/${kind}` })),
    ],
    spec: {},
    status: { active: true, endpointPrefix: org },
  };
}
