import { expect } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { executionsOf, gaps, makeCron, runNow } from '../harness/cron.ts';
import {
  allow,
  container,
  east,
  makeCaller,
  makeGvc,
  makeVolumeSet,
  makeWorkload,
  specOf,
  stateful,
  town,
} from '../harness/fixtures.ts';
import { at, itemsAt } from '../harness/place.ts';
import { parted, type Row, row } from '../harness/row.ts';
import { command, mounted, snapshotsOf, use, volumesOf } from '../harness/volumes.ts';
import { alone, type Wire } from '../harness/wire.ts';
import { service } from './clients/cliGeneric.ts';

const gigabyte = 1_000_000_000;

/** The GB that are used on the first volume. */
async function usedOf(wire: Wire, set: string): Promise<number> {
  const [volume] = await volumesOf(wire, set);
  return Number(volume?.['currentBytesUsed']) / gigabyte;
}

/** What happens over time, and between records. */
export const lifeRows: readonly Row[] = [
  parted(
    'volumeset/life of volumes',
    'volumes are made for each replica in each location, keep what is written, and go back to a snapshot',
    [
      'each location has a volume for each replica',
      alone({}, async (wire) => {
        const gvc = await makeGvc(wire);
        const name = await makeVolumeSet(wire, gvc);
        await makeWorkload(wire, gvc, stateful(name, 2));
        await wire.advance('10m');
        for (const location of [east, 'gcp-us-east1']) {
          const volumes = await volumesOf(wire, `gvc/${gvc}/volumeset/${name}`, location);
          expect(volumes.map(({ index, lifecycle }) => [index, lifecycle])).toEqual([
            [0, 'bound'],
            [1, 'bound'],
          ]);
        }
      }),
    ],
    [
      'restoreVolume brings back what the snapshot held, and later writes are lost',
      alone({}, async (wire) => {
        const { set } = await mounted(wire, { initialCapacity: 50 });
        await use(wire, set, 3);
        const volume = { location: east, volumeIndex: 0, snapshotName: 'before' };
        await command(wire, set, 'createVolumeSnapshot', volume);
        await use(wire, set, 30);
        const [later, before] = [await usedOf(wire, set), 3];
        expect(later / before).toBeCloseTo(10, 0);
        await command(wire, set, 'restoreVolume', volume);
        expect((await usedOf(wire, set)) / later).toBeCloseTo(0.1, 1);
      }),
    ],
    [
      'a snapshot with an end goes when it is reached',
      alone({}, async (wire) => {
        const { set } = await mounted(wire);
        const { created } = await wire.get(set);
        const snapshotExpirationDate = new Date(Date.parse(String(created)) + 2 * 3600 * 1000).toISOString();
        const spec = { location: east, volumeIndex: 0, snapshotName: 'short', snapshotExpirationDate };
        await command(wire, set, 'createVolumeSnapshot', spec);
        expect(await snapshotsOf(wire, set)).toHaveLength(1);
        await wire.advance('3h');
        expect(await snapshotsOf(wire, set)).toEqual([]);
      }),
    ],
    [
      'a volume that was deleted is made again, empty, for the replica that needs it',
      alone({}, async (wire) => {
        const { set } = await mounted(wire, { initialCapacity: 50 });
        await use(wire, set, 30);
        await command(wire, set, 'deleteVolume', { location: east, volumeIndex: 0 });
        await wire.advance('10m');
        const live = (await volumesOf(wire, set)).filter(({ lifecycle }) => lifecycle !== 'deleted');
        expect(live).toMatchObject([{ index: 0, currentSize: 50, lifecycle: 'bound' }]);
        expect(Number(live[0]?.['currentBytesUsed']) / gigabyte).toBeLessThan(5);
      }),
    ],
    [
      'only the volume that lacks room grows, in its own location',
      alone({}, async (wire) => {
        const autoscaling = { maxCapacity: 100, minFreePercentage: 50, scalingFactor: 1.25 };
        const { set } = await mounted(wire, { autoscaling }, 2);
        await use(wire, set, 8, 1);
        await wire.advance('1m');
        expect((await volumesOf(wire, set)).map(({ currentSize }) => currentSize)).toEqual([10, 20]);
      }),
    ],
  ),
  parted(
    'workload.types/life of cron',
    'a cron workload runs in every location, by its newest schedule, and no more when it is gone',
    [
      'each location has executions of its own, at the same times',
      alone({}, async (wire) => {
        const workload = await makeWorkload(
          wire,
          await makeGvc(wire),
          specOf('cron', { job: { schedule: '*/10 * * * *' } }),
        );
        await wire.advance('31m');
        const starts = async (location: string): Promise<readonly unknown[]> => {
          const { status } = await wire.get(`${workload}/deployment/${location}`);
          return itemsAt(status, 'jobExecutions').map(({ startTime }) => startTime);
        };
        expect((await starts(east)).length).toBeGreaterThanOrEqual(3);
        expect(await starts('gcp-us-east1')).toEqual(await starts(east));
      }),
    ],
    [
      'a changed schedule holds from then on',
      alone({}, async (wire) => {
        const workload = await makeCron(wire, { schedule: '0 0 1 1 *', historyLimit: 10 }, { runSeconds: 1 });
        await wire.advance('1h');
        expect(await executionsOf(wire, workload)).toEqual([]);
        await wire.ok('PATCH', workload, { spec: { job: { schedule: '*/20 * * * *' } } });
        await wire.advance('2h');
        expect(gaps(await executionsOf(wire, workload))).toEqual([1200, 1200, 1200, 1200, 1200]);
      }),
    ],
    [
      'a run-now has a deadline of its own, and a version of the workload that it needs',
      alone({}, async (wire) => {
        const workload = await makeCron(wire, { schedule: '0 0 1 1 *' }, { runSeconds: 600 });
        const id = await runNow(wire, workload, { activeDeadlineSeconds: 60 });
        await wire.advance('5m');
        const [execution] = itemsAt(await wire.get(`${workload}/deployment/${east}`), 'status/jobExecutions');
        expect(execution).toMatchObject({ name: `command-${id}`, status: 'Removed', workloadVersion: 1 });
        expect(['failed', 'cancelled']).toContain((await wire.get(`${workload}/-command/${id}`))['lifecycleStage']);
      }),
    ],
    [
      'a day of a run a minute is done in one step, and keeps no more than the history',
      alone({}, async (wire) => {
        const workload = await makeCron(wire, { historyLimit: 10 }, { runSeconds: 1 });
        await wire.advance('24h');
        const executions = await executionsOf(wire, workload);
        expect([10, 11]).toContain(executions.length);
        expect(new Set(gaps(executions))).toEqual(new Set([60]));
        await wire.ok('DELETE', workload);
        await wire.advance('1h');
        expect((await wire.call('GET', workload)).status).toBe(404);
      }),
    ],
  ),
  parted(
    'audit/audit filters',
    'the trail is filtered and cut into pages; what was refused is in it',
    [
      'a write without the permission is an event of the caller who tried',
      async (wire) => {
        const { link: caller, key } = await makeCaller(wire);
        const name = wire.name('gvc');
        expect((await wire.call('POST', 'gvc', { name }, { authorization: key })).status).toBe(403);
        const base = await service(wire, 'audit');
        const found = await wire.get(`${base}/audit/org/local?subjectName=${encodeURIComponent(caller)}`);
        const [event] = itemsAt(found, 'items');
        expect(event).toMatchObject({ action: { type: 'create' }, subject: { data: { principalLink: caller } } });
        expect(at(event, 'result/status')).not.toBe('OK');
      },
    ],
    [
      'actionType selects, and pages are followed by next',
      alone({}, async (wire) => {
        const gvc = await makeGvc(wire);
        for (let index = 0; index < 60; index += 1)
          await wire.ok('PATCH', `gvc/${gvc}`, { description: `change ${index}` });
        const base = await service(wire, 'audit');
        const first = await wire.get(`${base}/audit/org/local?resourceType=gvc&actionType=edit`);
        expect(itemsAt(first, 'items')).toHaveLength(50);
        const next = itemsAt(first, 'links').find(({ rel }) => rel === 'next');
        const second = await wire.get(String(next?.['href']));
        expect(itemsAt(second, 'items').map((event) => at(event, 'action/type'))).toEqual(Array(10).fill('edit'));
      }),
    ],
    [
      'growth by itself is an action of the platform, in its own context',
      alone({}, async (wire) => {
        const autoscaling = { maxCapacity: 100, minFreePercentage: 50, scalingFactor: 1.25 };
        const { set } = await mounted(wire, { autoscaling });
        await use(wire, set, 8);
        await wire.advance('10m');
        const { id } = await wire.get(set);
        const found = await wire.get(`${await service(wire, 'audit')}/audit/org/local/resource/id/${id}`);
        expect(JSON.stringify(itemsAt(found, 'items'))).toContain('expandVolume');
        expect(itemsAt(found, 'items').every((event) => at(event, 'context/name') === 'scheme')).toBe(true);
      }),
    ],
    [
      'reading the trail needs readAudit',
      async (wire) => {
        const { key } = await makeCaller(wire);
        const reply = await wire.call('GET', `${await service(wire, 'audit')}/audit/org/local`, undefined, {
          authorization: key,
        });
        expect([reply.status, reply.body['message']]).toEqual([403, expect.stringContaining('[readAudit]')]);
      },
    ],
  ),
  row(
    'clients/task invitation',
    'who accepts an invitation is a user of the org then, and a member of the group',
    async (wire) => {
      const email = `${wire.name('guest')}@example.com`;
      const group = wire.name('group');
      await wire.ok('POST', 'group', { name: group });
      await wire.ok('POST', 'user/-invite', { emails: [email], groupLink: `//group/${group}` });
      expect((await wire.call('GET', `user/-for/email/${email}`)).status).toBe(404);
      const query = { spec: { terms: [{ op: '=', property: 'targetEmail', value: email }] } };
      const [task] = itemsAt(await wire.ok('POST', 'task/-query', query), 'items');
      await wire.ok('POST', `/task/${task?.['id']}`, { answer: 'accept' });
      expect(await wire.get(`user/-for/email/${email}`)).toMatchObject({ email });
      expect(at(await wire.get(`group/${group}`), 'memberLinks')).toHaveLength(1);
    },
  ),
  parted(
    'wire/org',
    'an org is made with what is built in, and is never deleted',
    [
      'POST of an org: locations, groups, policies, a service account and an audit context are there',
      async (wire) => {
        const name = wire.name('team');
        const reply = await wire.call('POST', '/org', { name, description: 'd' });
        expect([reply.status, reply.headers.get('location')], reply.text).toEqual([201, `/org/${name}`]);
        const list = async (kind: string): Promise<readonly JsonObject[]> =>
          itemsAt(await wire.get(`/org/${name}/${kind}`), 'items');
        expect((await list('location')).length).toBeGreaterThanOrEqual(12);
        expect((await list('group')).map((group) => group['name'])).toEqual(
          expect.arrayContaining(['superusers', 'viewers']),
        );
        expect((await list('policy')).every(({ origin }) => origin === 'builtin')).toBe(true);
        expect((await list('serviceaccount')).map(({ origin }) => origin)).toEqual(['builtin']);
        expect(await list('auditctx')).toMatchObject([{ name: 'scheme', origin: 'builtin' }]);
        await wire.refused(409, 'POST', '/org', { name });
        await wire.refused(405, 'DELETE', `/org/${name}`);
      },
    ],
    [
      'what is built in is not changed',
      async (wire) => {
        await wire.refused(400, 'PATCH', 'auditctx/scheme', { description: 'mine' });
        const policies = itemsAt(await wire.get('policy?limit=1000'), 'items');
        const policy = policies.find(({ origin }) => origin === 'builtin');
        await wire.refused(400, 'PATCH', `policy/${policy?.['name']}`, { description: 'mine' });
        await wire.refused(400, 'DELETE', `policy/${policy?.['name']}`);
      },
    ],
  ),
  row(
    'access/load balancer',
    'a change of the balancer needs configureLoadBalancer, which the refusal names',
    async (wire) => {
      const { link: caller, key } = await makeCaller(wire);
      await allow(wire, 'gvc', 'edit', caller);
      const gvc = await makeGvc(wire);
      const change = { spec: { loadBalancer: { dedicated: true } } };
      const reply = await wire.call('PATCH', `gvc/${gvc}`, change, { authorization: key });
      expect([reply.status, reply.body['message']]).toEqual([403, expect.stringContaining('configureLoadBalancer')]);
      await allow(wire, 'gvc', 'configureLoadBalancer', caller);
      expect((await wire.call('PATCH', `gvc/${gvc}`, change, { authorization: key })).status).toBe(200);
    },
  ),
  row(
    'concepts.limits/lenient',
    'in lenient mode the rules that may be stricter than the service warn in a header instead',
    alone({ lenient: true }, async (wire) => {
      const gvc = await town(wire);
      const spec = specOf('cron', { containers: [container()] });
      const reply = await wire.call('POST', `gvc/${gvc}/workload`, { name: 'lenient', spec });
      expect(reply.status, reply.text).toBe(201);
      expect(reply.headers.get('x-scheme-warning')).toContain('W8.ports');
      const strict = specOf('cron', { localOptions: [{ location: 'aws-us-east-1' }] });
      await wire.refused(400, 'POST', `gvc/${gvc}/workload`, { name: 'strict', spec: strict });
    }),
  ),
];
