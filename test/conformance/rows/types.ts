import { expect } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import {
  batch,
  container,
  east,
  link,
  makeGvc,
  makeVolumeSet,
  makeWorkload,
  specOf,
  stateful,
  town,
} from '../harness/fixtures.ts';
import { at, itemsAt } from '../harness/place.ts';
import { ownPart, ownRow, type Part, parted, partOf, type Row, row } from '../harness/row.ts';
import { until, type Wire } from '../harness/wire.ts';

/** Demands that a workload with this spec is accepted, or refused with 400. */
async function answered(wire: Wire, status: 201 | 400, spec: JsonObject): Promise<void> {
  const body = { name: wire.name('work'), spec };
  const reply = await wire.call('POST', `gvc/${await town(wire)}/workload`, body);
  expect(reply.status, `${JSON.stringify(spec)} answered ${reply.text}`).toBe(status);
}

const scaled = (metric: string, minScale: number): JsonObject => ({
  defaultOptions: { capacityAI: false, autoscaling: { metric, minScale, maxScale: 3 } },
});
const ports = (...numbers: readonly number[]): JsonObject => ({
  containers: [container({ ports: numbers.map((number) => ({ protocol: 'http', number })) })],
});
const withoutPort: JsonObject = { containers: [{ name: 'main', image: 'shop/web:1' }] };
const tcp: JsonObject = { containers: [container({ ports: [{ protocol: 'tcp', number: 5432 }] })] };

function rule(id: string, statement: string, status: 201 | 400, type: string, more: JsonObject): Row {
  return row(id, statement, (wire) => answered(wire, status, specOf(type, more)));
}

// biome-ignore format: one case a line
export const typeRows: readonly Row[] = [
  rule('workload.types/serverless may scale to zero', 'serverless may scale to zero', 201, 'serverless',
    scaled('concurrency', 0)),
  rule('workload.types/serverless one port', 'serverless may not serve on several ports', 400, 'serverless',
    ports(8080, 8081)),
  parted('workload.types/serverless must expose', 'serverless must expose one HTTP port',
    part('serverless with one HTTP port is accepted', 201, 'serverless', ports(8080)),
    part('serverless without a port is refused', 400, 'serverless', withoutPort),
    part('serverless with a TCP port is refused', 400, 'serverless', tcp)),
  parted('workload.types/standard may', 'standard may have no endpoint, or several ports',
    part('standard without a port is accepted', 201, 'standard', withoutPort),
    part('standard with two ports is accepted', 201, 'standard', ports(8080, 8081))),
  rule('workload.types/standard may not', 'standard may not scale to zero', 400, 'standard', scaled('cpu', 0)),
  parted(
    'workload.types/stateful may',
    'stateful may have no endpoint, several ports, volume sets, and an endpoint for each replica',
    part('stateful without a port is accepted', 201, 'stateful', withoutPort),
    part('stateful with two ports is accepted', 201, 'stateful', ports(8080, 8081)),
    part('stateful with replicaDirect is accepted', 201, 'stateful', { loadBalancer: { replicaDirect: true } }),
    partOf('stateful mounts a volume set', async (wire) => {
      await answered(wire, 201, stateful(await makeVolumeSet(wire, await town(wire))));
    }),
  ),
  parted('workload.types/stateful may not', 'stateful may not use Capacity AI, nor be scaled by concurrency',
    part('stateful with Capacity AI is refused', 400, 'stateful', { defaultOptions: { capacityAI: true } }),
    part('stateful scaled by concurrency is refused', 400, 'stateful', scaled('concurrency', 1))),
  ownRow('workload.types/cron may', 'cron runs on its schedule', {}, async (wire) => {
    const gvc = await makeGvc(wire, { staticPlacement: { locationLinks: [link.east] } });
    const workload = await makeWorkload(wire, gvc, specOf('cron', { job: { schedule: '*/10 * * * *' } }));
    await wire.advance('35m');
    const executions = itemsAt(await wire.get(`${workload}/deployment/${east}`), 'status/jobExecutions');
    expect([3, 4]).toContain(executions.length);
  }),
  parted('workload.types/cron may not', 'cron may not serve traffic nor scale to zero',
    part('cron with a port is refused', 400, 'cron', { containers: [container()] }),
    part('cron with minScale 0 is refused', 400, 'cron', { defaultOptions: { autoscaling: { minScale: 0 } } })),
  ownRow('workload.types/cron must',
    'each run exits on completion: it has an end, and its replica is removed', {}, async (wire) => {
    const gvc = await makeGvc(wire, { staticPlacement: { locationLinks: [link.east] } });
    const workload = await makeWorkload(wire, gvc, specOf('cron', { job: { schedule: '* * * * *' } }));
    await wire.advance('90s');
    // The newest run may have just started.
    const oldest = itemsAt(await wire.get(`${workload}/deployment/${east}`), 'status/jobExecutions').at(-1);
    expect(oldest).toMatchObject({
      status: 'Success',
      startTime: expect.any(String),
      completionTime: expect.any(String),
    });
  }),
  parted(
    'workload.types/capabilities',
    'the remaining capabilities are mapped to types (platform/workload.types)',
    ...['serverless', 'standard', 'stateful', 'cron'].map((type): Part => {
      const first = type === 'cron' ? batch() : container();
      return part(`${type} may have several containers`, 201, type, {
        containers: [first, { name: 'side', image: 'shop/side:1' }],
      });
    }),
  ),
  ownRow('workload.types/stateful names',
    'stateful replicas are named workload-index, with the host name replica.workload in the location',
    {}, async (wire) => {
    const gvc = await makeGvc(wire, { staticPlacement: { locationLinks: [link.east] } });
    const workload = await makeWorkload(wire, gvc, {
      ...specOf('stateful'),
      defaultOptions: { capacityAI: false, autoscaling: { metric: 'cpu', minScale: 2, maxScale: 2 } },
    });
    const name = workload.split('/').at(-1);
    const shown = await until(
      wire,
      () => wire.get(workload),
      (record) => at(record, 'health/readyReplicas') === 2,
    );
    const names = JSON.stringify(at(shown, 'status/replicaInternalNames'));
    expect(names).toContain(`${name}-0.${name}`);
    expect(names).toContain(`${name}-1.${name}`);
    const { status } = await wire.get(`${workload}/deployment/${east}`);
    const remote = new URL(String(at(status, 'remote'))).pathname.replace(/\/$/, '');
    const replicas = await wire.get(`${remote}/replicas/org/local/${workload}`);
    expect(at(replicas, 'items')).toEqual([`${name}-0`, `${name}-1`]);
  }),
  ownRow('workload.types/domain status',
    'a domain goes from initializing by pendingDnsConfig and pendingCertificate to ready',
    { readyAfterMs: 60_000 }, async (wire) => {
    const name = 'shop.com';
    const gvc = await makeGvc(wire);
    const workloadLink = `/org/local/${await makeWorkload(wire, gvc, specOf('standard'))}`;
    const routes = [{ prefix: '/', workloadLink }];
    await wire.ok('POST', 'domain', { name, spec: { ports: [{ number: 443, protocol: 'http2', routes }] } });
    const seen = new Set<string>();
    for (let second = 0; second <= 240; second += 5) {
      seen.add(String(at(await wire.get(`domain/${name}`), 'status/status')));
      await wire.advance('5s');
    }
    expect([...seen]).toEqual(['initializing', 'pendingDnsConfig', 'pendingCertificate', 'ready']);
  }),
  parted(
    'workload.types/readiness',
    'readiness is ready, partial, notReady, suspended or unknown',
    ownPart('a workload whose version is not yet running is notReady, then ready',
      { readyAfterMs: 60_000 }, async (wire) => {
      const workload = await makeWorkload(wire, await makeGvc(wire), specOf('standard'));
      const health = async () => (await wire.get(workload))['health'];
      expect(await health()).toMatchObject({ readiness: 'notReady', readyLocations: 0, totalLocations: 2 });
      await wire.advance('60s');
      expect(await health()).toMatchObject({ readiness: 'ready', readyLocations: 2 });
      const running = { ready: true, lastProcessedVersion: 1, versions: [{ workload: 1, ready: true }] };
      expect((await wire.get(`${workload}/deployment`))['items']).toMatchObject([
        { name: 'aws-us-east-1', status: running },
        { name: 'gcp-us-east1', status: running },
      ]);
    }),
  ),
];

function part(words: string, status: 201 | 400, type: string, more: JsonObject): Part {
  return [words, (wire: Wire) => answered(wire, status, specOf(type, more))];
}
