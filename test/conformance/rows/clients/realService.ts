import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { container, makeVolumeSet, makeWorkload, specOf, town } from '../../harness/fixtures.ts';
import { at, itemsAt, nest } from '../../harness/place.ts';
import { ownRow, type Part, parted, partOf, type Row, row } from '../../harness/row.ts';
import { realServiceWarningRows } from './realServiceWarnings.ts';

const shared = { fileSystemType: 'shared', performanceClass: 'shared', initialCapacity: 10 };
const thirtyDays = { logsRetentionDays: 30, metricsRetentionDays: 30, tracesRetentionDays: 30 };

const needs = (it: string, rule: string, main: JsonObject): Part => [
  `a workload of another type needs ${it}`,
  async (wire) => {
    const body = { name: wire.name('work'), spec: specOf('standard', { containers: [main] }) };
    const error = await wire.refused(400, 'POST', `gvc/${await town(wire)}/workload`, body);
    expect(at(error, 'details')).toMatchObject({ problems: [{ rule }] });
  },
];

const password = (it: string, text: string, status: number): Part =>
  partOf(`${it}: ${status}`, async (wire) => {
    const data = { username: 'u', password: text, encoding: 'base64' };
    const reply = await wire.call('POST', 'secret', { name: wire.name('secret'), type: 'userpass', data });
    expect(reply.status, reply.text).toBe(status);
  });

/** Values that the real service accepts, with a row for each ruling; in strict mode unless the row says otherwise. */
export const realServiceRows: readonly Row[] = [
  ...realServiceWarningRows,
  row('concepts.real-service/header filter', 'a key keeps its case, and is found in any case', async (wire) => {
    const place = 'firewallConfig/external/http';
    const filters = (...keys: readonly string[]) =>
      nest(
        `${place}/inboundHeaderFilter`,
        keys.map((key) => ({ key, allowedValues: ['a'] })),
      );
    const workload = await makeWorkload(wire, await town(wire), specOf('standard', filters('X-Team', 'x-env')));
    expect(at(await wire.get(workload), 'spec/firewallConfig')).toEqual(filters('X-Team', 'x-env')['firewallConfig']);
    const again = { '$append/inboundHeaderFilter': [{ key: 'x-team', blockedValues: ['b'] }] };
    await wire.refused(400, 'PATCH', workload, { spec: nest(place, again) });
    const dropped = { spec: nest(place, { '$drop/inboundHeaderFilter': ['x-TEAM'] }) };
    const patched = await wire.ok('PATCH', workload, dropped);
    expect(at(patched, 'spec/firewallConfig')).toEqual(filters('x-env')['firewallConfig']);
  }),
  row('concepts.real-service/hooks', 'postStart and preStop may be empty objects', async (wire) => {
    const lifecycle = { postStart: {}, preStop: {} };
    const spec = specOf('standard', { containers: [container({ lifecycle })] });
    const workload = await makeWorkload(wire, await town(wire), spec);
    expect(at(await wire.get(workload), 'spec/containers/0/lifecycle')).toEqual(lifecycle);
  }),
  parted(
    'concepts.real-service/vm',
    'a vm needs no image and its volumes no path; name, bus and bootOrder pass through',
    partOf('and are stored as sent, and changed by $patch', async (wire) => {
      const gvc = await town(wire);
      const disk = await makeVolumeSet(wire, gvc, shared);
      const boot = { uri: `scheme://volumeset/${disk}`, name: 'root', bus: 'virtio', bootOrder: 1 };
      const init = { uri: 'scheme://secret/init', name: 'init', bus: 'sata' };
      const main = { name: 'main', cpu: '1', memory: '1Gi', volumes: [boot, init] };
      const workload = await makeWorkload(wire, gvc, { type: 'vm', containers: [main] });
      expect(at(await wire.get(workload), 'spec/containers')).toEqual([{ ...main, inheritEnv: false }]);
      const disks = { '$patch/volumes': [{ name: 'init', bus: 'scsi' }] };
      await wire.ok('PATCH', workload, { spec: { '$patch/containers': [{ name: 'main', ...disks }] } });
      expect(at(await wire.get(workload), 'spec/containers')).toEqual([
        { ...main, inheritEnv: false, volumes: [boot, { ...init, bus: 'scsi' }] },
      ]);
      await wire.get(`${workload}/deployment`);
    }),
    needs('an image', 'workload.image-needed', { name: 'main' }),
    needs('the path of a volume', 'workload.volume-path', container({ volumes: [{ uri: 's3://a' }] })),
    needs('no bus', 'workload.disk', container({ volumes: [{ uri: 's3://a', path: '/a', bus: 'sata' }] })),
  ),
  row('concepts.real-service/byok', 'the region of a self-hosted location is its name', async (wire) => {
    const name = wire.name('rack');
    expect(await wire.ok('POST', 'location', { name, provider: 'byok' })).toMatchObject({ region: name });
    expect(await wire.get(`location/${name}`)).toMatchObject({ region: name });
  }),
  row('concepts.real-service/agent', 'bootstrapConfig is only in the answer to the creation', async (wire) => {
    const name = wire.name('agent');
    const made = await wire.ok('POST', 'agent', { name });
    expect(at(made, 'status/bootstrapConfig')).toMatchObject({
      registrationToken: expect.stringMatching(/.{20}/),
      agentId: made['id'],
      agentLink: `/org/local/agent/${name}`,
      protocolVersion: 'v1',
    });
    for (const answer of [
      await wire.get(`agent/${name}`),
      await wire.get('agent'),
      await wire.ok('POST', 'agent/-query', {}),
      await wire.ok('PATCH', `agent/${name}`, { description: 'x' }),
      await wire.ok('PUT', 'agent', { name }),
      await wire.get('/audit/org/local?resourceType=agent'),
    ]) {
      const text = JSON.stringify(answer);
      expect(text).toContain(name);
      expect(text).not.toContain('bootstrapConfig');
      expect(text).not.toContain(String(at(made, 'status/bootstrapConfig/registrationToken')));
    }
    expect(at(await wire.get(`agent/${name}`), 'status')).toEqual({});
  }),
  parted(
    'concepts.real-service/userpass',
    'base64 of a password can use the standard or the URL-safe alphabet',
    password('the standard one', 'c3ViamVjdHM/aWQ9MQ==', 201),
    password('the URL-safe one', 'c3ViamVjdHM_aWQ9MQ==', 201),
    password('the URL-safe one without padding', 'a-_9', 201),
    password('neither', 'c3ViamVjdHM!aWQ9MQ==', 400),
  ),
  ownRow('concepts.real-service/org', 'a new org keeps its observations for 30 days by default', {}, async (wire) => {
    expect((await wire.get('/org/local'))['spec']).toEqual({ observability: thirtyDays });
    const made = await wire.ok('POST', '/org', { name: 'second' });
    expect(made['spec']).toEqual({ observability: thirtyDays });
    const other = await wire.ok('POST', '/org', { name: 'third', spec: { observability: { logsRetentionDays: 7 } } });
    expect(other['spec']).toEqual({ observability: { ...thirtyDays, logsRetentionDays: 7 } });
  }),
  row('concepts.real-service/locations', 'a built-in location has a provider and a region (place)', async (wire) => {
    expect(await wire.get('location/aws-eu-central-1')).toMatchObject({ description: 'AWS, Europe (Frankfurt)' });
    const builtIn = itemsAt(await wire.get('location?limit=100'), 'items').filter(({ origin }) => origin === 'builtin');
    expect(builtIn.length).toBeGreaterThan(5);
    for (const { description } of builtIn) {
      expect(description).toMatch(/^(AWS|Azure|GCP), \w[\w ]* \([A-Z][\w. ]+\)$/);
    }
  }),
  parted(
    'concepts.real-service/trailing slash',
    'one slash at the end of a path is ignored',
    partOf('of a list, a record, the orgs, discovery and a sub-path; two are not', async (wire) => {
      const gvc = `gvc/${await town(wire)}`;
      const workload = await makeWorkload(wire, await town(wire), specOf('standard'));
      for (const path of ['gvc', gvc, '/org', '/discovery', `${workload}/deployment`]) {
        expect(await wire.get(`${path}/`)).toEqual(await wire.get(path));
        await wire.refused(404, 'GET', `${path}//`);
      }
    }),
    partOf('before a query, and of a POST and a DELETE', async (wire) => {
      expect((await wire.call('GET', 'gvc/?limit=1')).status).toBe(200);
      const name = wire.name('gvc');
      expect((await wire.call('POST', 'gvc/', { name })).status).toBe(201);
      expect((await wire.call('DELETE', `gvc/${name}/`)).status).toBe(202);
    }),
  ),
  row('concepts.real-service/org references', 'records that the org record refers to can be deleted', async (wire) => {
    const name = wire.name('secret');
    await wire.ok('POST', 'secret', { name, type: 'opaque', data: { payload: 'p' } });
    const spec = { logging: { s3: { bucket: 'b', credentials: `//secret/${name}` } } };
    await wire.ok('PATCH', '/org/local', { spec });
    expect((await wire.call('DELETE', `secret/${name}`)).status).toBe(202);
    expect(at(await wire.get('/org/local'), 'spec/logging')).toEqual({
      s3: { bucket: 'b', credentials: `/org/local/secret/${name}` },
    });
  }),
];
