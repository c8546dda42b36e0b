import { type JsonObject, objectAt, own, stringAt } from '../../../base/json/json.ts';
import { linkOf } from '../../../schema/record/ref.ts';
import { permittedRow } from '../../access/permissions.ts';
import { type Call, readIn } from '../../core/session.ts';
import { notFound } from '../../http/apiFailure.ts';
import { callRef } from '../../http/dispatch/callRef.ts';
import { itemTemplate } from '../../http/dispatch/kindPaths.ts';
import type { Route } from '../../http/dispatch/route.ts';
import { reply } from '../../http/message.ts';
import { Presenter } from '../../records/shown/presenter.ts';
import { locationFacts, namesIn } from '../decisions/facts.ts';

const path = `${itemTemplate('workload')}/deployment`;

/** The deployments of a workload (platform/lifecycle.deployment). */
export const deploymentRoutes: readonly Route[] = [
  {
    id: 'workload.deployments',
    method: 'GET',
    path,
    summary: 'List the deployments of a workload, one for each location',
    kind: 'workload',
    permission: 'view',
    answer: 'list',
    async handle(call) {
      const { self, items: bare } = await found(call);
      const items = bare.map((deployment) => withRemote(call, deployment));
      return reply(200, { kind: 'list', itemKind: 'deployment', items, links: [{ rel: 'self', href: self }] });
    },
  },
  {
    id: 'workload.deployment',
    method: 'GET',
    path: `${path}/{location}`,
    summary: 'Read the deployment of a workload in a location',
    kind: 'workload',
    permission: 'view',
    answer: { type: 'object' },
    async handle(call) {
      const { self, items } = await found(call);
      const one = items.find((deployment) => own(deployment, 'name') === call.params['location']);
      if (one === undefined) throw notFound(`${self}/${call.params['location']}`);
      return reply(200, withRemote(call, one));
    },
  },
  {
    id: 'workload.replicas',
    method: 'GET',
    path: `/-remote/{location}/replicas${itemTemplate('workload')}`,
    summary: 'List the names of the replicas of a workload in a location',
    kind: 'workload',
    permission: 'view',
    answer: { type: 'object', properties: { items: { type: 'array', items: { type: 'string' } } } },
    async handle(call) {
      const location = call.params['location'] ?? '';
      const items = await readIn(call, (session) => {
        const { platform, tx } = session;
        const row = permittedRow(session, 'view', callRef(call, 'workload'));
        const facts = new Presenter(platform, tx).workloadFacts(row);
        const place = locationFacts(facts).find((each) => each.location === location);
        return place === undefined ? undefined : namesIn(facts, place);
      });
      if (items === undefined) throw notFound(`a deployment in ${location}`);
      return reply(200, { items });
    },
  },
];

/**
 * Adds `status.remote`, the URL under which replicas are listed (platform/lifecycle.replicas), if this server knows its
 * own address.
 */
function withRemote({ request }: Call, deployment: JsonObject): JsonObject {
  if (request.base === undefined) return deployment;
  const remote = `${request.base}/-remote/${stringAt(deployment, 'name') ?? ''}`;
  return { ...deployment, status: { ...objectAt(deployment, 'status'), remote } };
}

function found(call: Call) {
  const ref = callRef(call, 'workload');
  return readIn(call, (session) => {
    const { platform, tx } = session;
    const row = permittedRow(session, 'view', ref);
    return { self: `${linkOf(ref, platform.org)}/deployment`, items: new Presenter(platform, tx).deployments(row) };
  });
}
