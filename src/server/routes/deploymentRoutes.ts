import { own } from '../../schema/json.ts';
import { linkOf } from '../../schema/links.ts';
import { notFound } from '../http/apiFailure.ts';
import { reply } from '../http/message.ts';
import { requirePermission } from './access.ts';
import { callRef } from './callRef.ts';
import { existingRow } from './findRow.ts';
import { itemTemplate } from './kindPaths.ts';
import { Presenter } from './presenter.ts';
import type { Route } from './route.ts';
import { type Call, readIn } from './session.ts';

const path = `${itemTemplate('workload')}/deployment`;

/** What runs of a workload (protocol 8.2). */
export const deploymentRoutes: readonly Route[] = [
  {
    id: 'workload.deployments',
    method: 'GET',
    path,
    summary: 'What runs of a workload, by location',
    kind: 'workload',
    permission: 'view',
    answer: 'list',
    async handle(call) {
      const { self, items } = await found(call);
      return reply(200, { kind: 'list', itemKind: 'deployment', items, links: [{ rel: 'self', href: self }] });
    },
  },
  {
    id: 'workload.deployment',
    method: 'GET',
    path: `${path}/{location}`,
    summary: 'What runs of a workload in one location',
    kind: 'workload',
    permission: 'view',
    answer: { type: 'object' },
    async handle(call) {
      const { self, items } = await found(call);
      const one = items.find((deployment) => own(deployment, 'name') === call.params['location']);
      if (one === undefined) throw notFound(`${self}/${call.params['location']}`);
      return reply(200, one);
    },
  },
];

function found(call: Call) {
  const ref = callRef(call, 'workload');
  return readIn(call, (session) => {
    const { platform, tx } = session;
    const row = existingRow(tx, ref, platform.org);
    requirePermission(session, 'view', row);
    return { self: `${linkOf(ref, platform.org)}/deployment`, items: new Presenter(platform, tx).deployments(row) };
  });
}
