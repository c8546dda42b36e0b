import { expect } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { allow, east, link, makeCaller, makeGvc, makeIdentity, makeWorkload, specOf } from '../harness/fixtures.ts';
import { at, itemsAt } from '../harness/place.ts';
import { parted, type Row, row } from '../harness/row.ts';
import { alone, type Wire } from '../harness/wire.ts';

/** The status of the deployment in a location. */
async function deployment(wire: Wire, workload: string, location: string): Promise<JsonObject> {
  return wire.get(`${workload}/deployment/${location}`);
}

function scaled(minScale: number, maxScale: number, more: JsonObject = {}): JsonObject {
  const autoscaling = { metric: 'cpu', minScale, maxScale };
  return specOf('standard', { defaultOptions: { capacityAI: false, autoscaling }, ...more });
}

/** What fields do, where the specification of the platform names the effect, and public clients show how it is seen. */
export const behaviourRows: readonly Row[] = [
  parted(
    'workload.options/suspend effect',
    'a suspended location has no replicas, and the others go on',
    [
      'suspend of one location',
      alone({}, async (wire) => {
        const localOptions = [{ location: east, suspend: true }];
        const workload = await makeWorkload(wire, await makeGvc(wire), scaled(2, 2, { localOptions }));
        await wire.advance('10m');
        expect(at(await deployment(wire, workload, east), 'status/desiredScale')).toBe(0);
        expect(at(await deployment(wire, workload, 'gcp-us-east1'), 'status/desiredScale')).toBe(2);
        expect(await wire.get(workload)).toMatchObject({
          health: { readiness: 'ready', readyReplicas: 2 },
          status: { suspendedStatus: 'partiallySuspended' },
        });
      }),
    ],
    [
      'suspend of all, and back',
      alone({}, async (wire) => {
        const workload = await makeWorkload(wire, await makeGvc(wire), scaled(1, 1));
        await wire.ok('PATCH', workload, { spec: { defaultOptions: { suspend: true } } });
        await wire.advance('10m');
        const suspended = await wire.get(workload);
        expect(suspended).toMatchObject({
          health: { readiness: 'suspended', readyReplicas: 0 },
          status: { suspendedStatus: 'suspended' },
        });
        const localOptions = [{ location: east, autoscaling: { minScale: 2 } }];
        await wire.ok('PATCH', workload, { spec: { localOptions } });
        await wire.advance('10m');
        expect(await wire.get(workload)).toMatchObject({
          health: { readiness: 'ready', totalReplicas: 2 },
          status: { suspendedStatus: 'partiallySuspended' },
        });
        expect(await deployment(wire, workload, 'gcp-us-east1')).toMatchObject({
          kind: 'deployment',
          status: { desiredScale: 0, ready: true, jobExecutions: [] },
        });
        await wire.ok('PATCH', workload, { spec: { defaultOptions: { suspend: false }, localOptions: [] } });
        await wire.advance('10m');
        expect(await wire.get(workload)).toMatchObject({ health: { readiness: 'ready', readyReplicas: 2 } });
      }),
    ],
  ),
  row(
    'workload.options/autoscaling effect',
    'the replicas of a location are within minScale and maxScale',
    alone({}, async (wire) => {
      const workload = await makeWorkload(wire, await makeGvc(wire), scaled(3, 4));
      await wire.advance('1h');
      for (const location of [east, 'gcp-us-east1']) {
        const scale = Number(at(await deployment(wire, workload, location), 'status/desiredScale'));
        expect([3, 4]).toContain(scale);
      }
    }),
  ),
  row(
    'gvc/staticPlacement effect',
    'a location that is taken from the GVC has no deployment any more, one that is added gets one',
    alone({}, async (wire) => {
      const gvc = await makeGvc(wire);
      const workload = await makeWorkload(wire, gvc, specOf('standard'));
      await wire.ok('PATCH', `gvc/${gvc}`, {
        spec: { staticPlacement: { locationLinks: [link.south, '//location/azure-eastus2'] } },
      });
      await wire.advance('10m');
      const names = itemsAt(await wire.get(`${workload}/deployment`), 'items').map(({ name }) => name);
      expect(names.toSorted()).toEqual(['azure-eastus2', 'gcp-us-east1']);
      expect((await wire.call('GET', `${workload}/deployment/${east}`)).status).toBe(404);
      expect((await wire.get(workload))['version']).toBe(1);
    }),
  ),
  row(
    'workload/versions',
    'a new version runs beside the old one until it is ready; the deployment tells both',
    alone({ readyAfterMs: 60_000 }, async (wire) => {
      const workload = await makeWorkload(wire, await makeGvc(wire), specOf('standard'));
      await wire.advance('10m');
      await wire.ok('PATCH', workload, { spec: { defaultOptions: { timeoutSeconds: 30 } } });
      const { status } = await deployment(wire, workload, east);
      expect(status).toMatchObject({ lastProcessedVersion: 2, expectedDeploymentVersion: 2, deploying: true });
      const versions = itemsAt(status, 'versions').map((version) => [version['workload'], version['ready']]);
      expect(versions).toEqual(
        expect.arrayContaining([
          [1, true],
          [2, false],
        ]),
      );
      await wire.advance('10m');
      expect((await deployment(wire, workload, east))['status']).toMatchObject({
        ready: true,
        deploying: false,
        versions: [{ workload: 2, ready: true }],
      });
    }),
  ),
  row(
    'workload/stopReplica',
    'stopReplica starts a replica again, which its restarts tell',
    alone({}, async (wire) => {
      const workload = await makeWorkload(wire, await makeGvc(wire), specOf('stateful'));
      await wire.advance('10m');
      const replica = `${workload.split('/').at(-1)}-0`;
      const reply = await wire.call('POST', `${workload}/-command`, {
        type: 'stopReplica',
        spec: { location: east, replica },
      });
      expect(reply.status, reply.text).toBe(201);
      await wire.advance('10m');
      expect(await wire.get(reply.headers.get('location') ?? '')).toMatchObject({ lifecycleStage: 'completed' });
      const container = at((await deployment(wire, workload, east))['status'], 'versions/0/containers/main');
      expect(at(container, 'restarts/count')).toBe(1);
    }),
  ),
  row(
    'domain/warning goes',
    'the warning of a domain goes when the workload that was missing is made',
    alone({}, async (wire) => {
      const gvc = await makeGvc(wire);
      const routes = [{ prefix: '/', workloadLink: `//gvc/${gvc}/workload/late` }];
      await wire.ok('POST', 'domain', {
        name: 'shop.com',
        spec: { ports: [{ number: 443, protocol: 'http2', routes }] },
      });
      await wire.advance('1h');
      expect(at(await wire.get('domain/shop.com'), 'status/status')).toBe('warning');
      await wire.ok('POST', `gvc/${gvc}/workload`, { name: 'late', spec: specOf('standard') });
      await wire.advance('1h');
      const { status } = await wire.get('domain/shop.com');
      expect(at(status, 'status')).toBe('ready');
      expect([undefined, '']).toContain(at(status, 'warning'));
      await wire.ok('DELETE', `gvc/${gvc}/workload/late`);
      await wire.advance('1h');
      expect(at(await wire.get('domain/shop.com'), 'status/status')).toBe('warning');
    }),
  ),
  row(
    'deletion/protected',
    'what is protected stays: it is not deleted, and neither is the GVC that it is in',
    alone({}, async (wire) => {
      const gvc = await makeGvc(wire);
      const workload = await makeWorkload(wire, gvc, specOf('standard'));
      await wire.ok('PATCH', workload, { tags: { 'scheme/protected': true } });
      await wire.refused(400, 'DELETE', workload);
      const error = await wire.refused(400, 'DELETE', `gvc/${gvc}`);
      expect(error['message']).toContain(workload.split('/').at(-1));
      await wire.ok('PATCH', workload, { tags: { 'scheme/protected': null } });
      await wire.ok('DELETE', `gvc/${gvc}`);
    }),
  ),
  parted(
    'clients/ipset retention',
    'keep holds the address when its location is taken away, free gives it back',
    ...['keep', 'free'].map(
      (retentionPolicy) =>
        [
          `an address with ${retentionPolicy}, when its location leaves the GVC and the list`,
          alone({}, async (wire) => {
            const gvc = await makeGvc(wire);
            const locations = [link.east, link.south].map((name) => ({ name, retentionPolicy }));
            await wire.ok('POST', 'ipset', { name: 'front', spec: { link: `//gvc/${gvc}`, locations } });
            await wire.ok('PATCH', `gvc/${gvc}`, {
              spec: { loadBalancer: { dedicated: true, ipSet: '//ipset/front' } },
            });
            await wire.advance('10m');
            const states = async (): Promise<Readonly<Record<string, unknown>>> => {
              const addresses = itemsAt(await wire.get('ipset/front'), 'status/ipAddresses');
              return Object.fromEntries(addresses.map(({ name, state }) => [String(name).split('/').at(-1), state]));
            };
            expect(await states()).toEqual({ [east]: 'bound', 'gcp-us-east1': 'bound' });
            await wire.ok('PATCH', `gvc/${gvc}`, { spec: { staticPlacement: { locationLinks: [link.south] } } });
            await wire.advance('10m');
            const left = { 'gcp-us-east1': 'bound' };
            expect(await states()).toEqual(retentionPolicy === 'keep' ? { [east]: 'unbound', ...left } : left);
          }),
        ] as const,
    ),
  ),
  parted(
    'clients/group members',
    'a member query over users and a matcher over identities grant what the group has',
    [
      'a user that the query matches is a member, by e-mail and by tag',
      alone({ tokens: [{ token: 'ann-token', principal: '//user/ann@example.com' }] }, async (wire) => {
        const name = await makeGvc(wire);
        const view = async (): Promise<number> =>
          (await wire.call('GET', `gvc/${name}`, undefined, { authorization: 'ann-token' })).status;
        await allow(wire, 'gvc', 'view', '//group/shop');
        const terms = [{ op: '=', tag: 'team', value: 'shop' }];
        await wire.ok('POST', 'group', {
          name: 'shop',
          memberLinks: [],
          memberQuery: { kind: 'user', spec: { terms } },
        });
        expect(await view()).toBe(403);
        await wire.ok('PATCH', 'user/ann@example.com', { tags: { team: 'shop' } });
        expect(await view()).toBe(200);
      }),
    ],
    [
      'an identity that the matcher matches is a member, which the access report of no other shows',
      alone({ tokens: [{ token: 'identity-token', principal: '//gvc/gvc1/identity/identity2' }] }, async (wire) => {
        const gvc = await makeGvc(wire);
        await makeIdentity(wire, gvc).catch(() => undefined);
        await allow(wire, 'gvc', 'view', '//group/readers');
        const matcher = { expression: "name == 'identity2'", language: 'jmespath' };
        await wire.ok('POST', 'group', {
          name: 'readers',
          identityMatcher: { ...matcher, expression: "name == 'other'" },
        });
        const view = async (): Promise<number> =>
          (await wire.call('GET', `gvc/${gvc}`, undefined, { authorization: 'identity-token' })).status;
        expect(await view()).toBe(403);
        await wire.ok('PATCH', 'group/readers', { identityMatcher: matcher });
        expect(await view()).toBe(200);
      }),
    ],
  ),
  row(
    'clients/group superusers',
    'nobody takes oneself out of superusers, and members of built-in groups can be changed',
    async (wire) => {
      const { link: account } = await makeCaller(wire);
      await wire.refused(400, 'PATCH', 'group/superusers', { '$drop/memberLinks': ['//user/admin@example.com'] });
      const { memberLinks } = await wire.ok('PATCH', 'group/superusers', { '$append/memberLinks': [account] });
      expect(memberLinks).toContain(account);
    },
  ),
];
