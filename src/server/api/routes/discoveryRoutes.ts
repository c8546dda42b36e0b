import type { JsonObject } from '../../../base/json/json.ts';
import { lastSegment } from '../../../schema/record/ref.ts';
import { findRow } from '../../core/findRow.ts';
import { type Call, readIn } from '../../core/session.ts';
import { notFound } from '../../http/apiFailure.ts';
import type { Route } from '../../http/dispatch/route.ts';
import { localAccount } from '../../http/limits.ts';
import { type ApiReply, reply } from '../../http/message.ts';
import { Presenter } from '../../records/shown/presenter.ts';
import { discovery } from '../openapi/discovery.ts';

/** Read by clients before they have a token (platform/wire.discovery). */
const about: JsonObject = { name: 'gantry' };

const account: JsonObject = {
  kind: 'account',
  id: localAccount,
  name: localAccount,
  description: localAccount,
  links: [{ rel: 'self', href: `/account/${localAccount}` }],
};

/** The paths outside of any org: addresses of services, the caller, billing accounts (platform/wire.discovery). */
export const discoveryRoutes: readonly Route[] = [
  {
    id: 'discovery',
    method: 'GET',
    path: '/discovery',
    summary: 'List the addresses of the services',
    permission: 'none',
    answer: { type: 'object' },
    handle: ({ request }) => reply(200, discovery(request.base ?? '')),
  },
  {
    id: 'about',
    method: 'GET',
    path: '/about',
    summary: 'Read the name of the server',
    permission: 'none',
    answer: { type: 'object' },
    handle: () => reply(200, about),
  },
  {
    id: 'user.self',
    method: 'GET',
    path: '/user',
    summary: 'Read who the caller is',
    permission: 'token',
    answer: { type: 'object' },
    handle: self,
  },
  {
    id: 'account.list',
    method: 'GET',
    path: '/account',
    summary: 'List the billing accounts',
    permission: 'token',
    answer: 'list',
    handle: () => {
      const links = [{ rel: 'self', href: '/account' }];
      return reply(200, { kind: 'list', itemKind: 'account', items: [account], links });
    },
  },
  {
    id: 'account.read',
    method: 'GET',
    path: '/account/{account}',
    summary: 'Read a billing account',
    permission: 'token',
    answer: { type: 'object' },
    handle: ({ params, request }) => {
      if (params['account'] !== localAccount) throw notFound(request.path);
      return reply(200, account);
    },
  },
];

/** The record of the caller, if he has one in the org that the server was started with. */
async function self(call: Call): Promise<ApiReply> {
  const { caller } = call;
  const body = await readIn(call, ({ platform, tx }) => {
    const row = findRow(tx, { kind: caller.kind, name: lastSegment(caller.link) });
    if (row !== undefined) return new Presenter(platform, tx).text(row);
    const { kind, name, link } = caller;
    return JSON.stringify({ kind, name, links: [{ rel: 'self', href: link }] });
  });
  return { status: 200, body };
}
