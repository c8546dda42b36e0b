import { expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../../../src/schema/json/json.ts';
import { platformForAll } from '../platform.ts';
import { allPages, created, expectRefusal, linked, publicClient, type Send } from './publicClient.ts';

const org = '/org/local';
const gvc = `${org}/gvc/shop`;
const location = 'aws-us-west-2';
let send: Send;
let nowMs: number;

const platform = platformForAll({ clock: 'virtual', users: ['jane@example.com'] }, async (platform) => {
  send = publicClient(platform.url);
  nowMs = Date.now() + 60_000;
  const spec = { staticPlacement: { locationLinks: [`//location/${location}`] } };
  await created(send, `${org}/gvc`, { name: 'shop', spec });
  const volumes = { initialCapacity: 10, performanceClass: 'general-purpose-ssd' };
  await created(send, `${gvc}/volumeset`, { name: 'data', spec: volumes });
  const main = { name: 'main', image: 'busybox:1' };
  const mounting = { ...main, volumes: [{ uri: 'scheme://volumeset/data', path: '/data' }] };
  await created(send, `${gvc}/workload`, { name: 'base', spec: { type: 'stateful', containers: [mounting] } });
  const job = { type: 'cron', containers: [main], job: { schedule: '0 0 1 1 *' }, defaultOptions: { suspend: true } };
  await created(send, `${gvc}/workload`, { name: 'job', spec: job });
  await created(send, `${org}/serviceaccount`, { name: 'bot' });
  await created(send, `${org}/group`, { name: 'team', memberLinks: [] });
  await pass(60_000);
});

async function pass(ms: number): Promise<void> {
  nowMs += ms;
  await platform.stepTo(nowMs);
}

/** POST, `Location`, then the command as it is when its time is over (platform/commands). */
async function commanded(self: string, type: string, spec: JsonObject): Promise<JsonObject> {
  const answer = await send('POST', `${self}/-command`, { type, spec });
  expect(answer, answer.text).toMatchObject({ status: 201 });
  const at = answer.headers.get('location') ?? '';
  expect(at.startsWith(`${self}/-command/`)).toBe(true);
  await pass(3_600_000);
  return (await send('GET', at)).body;
}

test('volumeset expand, shrink and snapshot, as the client sends them (platform/clients.operations)', async () => {
  const self = `${gvc}/volumeset/data`;
  const at = { location, volumeIndex: 0 };
  const done = { kind: 'command', lifecycleStage: 'completed', ownerId: expect.any(String), status: expect.anything() };
  const grow = { ...at, newStorageCapacity: 20, timeoutSeconds: 600 };
  expect(await commanded(self, 'expandVolume', grow)).toMatchObject({ ...done, type: 'expandVolume', spec: grow });
  const snapshot = { ...at, snapshotName: 'one', snapshotTags: [{ a: 'b' }] };
  expect(await commanded(self, 'createVolumeSnapshot', snapshot)).toMatchObject(done);
  const [place] = listAt(objectAt((await send('GET', self)).body, 'status'), 'locations');
  expect(place).toMatchObject({ name: location, volumes: [{ currentSize: 20, volumeSnapshots: [{ name: 'one' }] }] });
  expect(await commanded(self, 'restoreVolume', { ...at, snapshotName: 'one' })).toMatchObject(done);
  expect(await commanded(self, 'deleteVolumeSnapshot', { ...at, snapshotName: 'one' })).toMatchObject(done);
  const listed = await allPages(send, 'GET', `${self}/-command`);
  expect(listed.map((command) => command['type'])).toEqual([
    'deleteVolumeSnapshot',
    'restoreVolume',
    'createVolumeSnapshot',
    'expandVolume',
  ]);
  expect(await allPages(send, 'POST', `${self}/-command/-query`)).toEqual(listed);
  expectRefusal(await send('DELETE', self), 400);
});

test('cron run: an execution named after the command, in the deployment of the location (platform/commands.run-now)', async () => {
  const self = `${gvc}/workload/job`;
  const overrides = [{ name: 'main', command: 'sh', args: ['-c', 'x'], env: [{ name: 'A', value: 'b' }] }];
  const command = await commanded(self, 'runCronWorkload', { location, containerOverrides: overrides });
  expect(command).toMatchObject({ lifecycleStage: 'completed' });
  const { body } = await send('GET', `${self}/deployment/${location}`);
  const run = { name: `command-${String(command['id'])}`, status: 'Success', workloadVersion: 1 };
  expect(listAt(objectAt(body, 'status'), 'jobExecutions')).toEqual([expect.objectContaining(run)]);
});

test('add-key, the key in both forms, remove-key (platform/access.tokens, platform/serviceaccount.keys)', async () => {
  const self = `${org}/serviceaccount/bot`;
  const { status, body } = await send('POST', `${self}/-addKey`, { description: 'ci' });
  const key = stringAt(body, 'key') ?? '';
  const [name = '', owner = '', rest = ''] = key.split('.');
  expect({ status, name }).toEqual({ status: 201, name: body['name'] });
  expect(key).toMatch(/^s/);
  expect(Buffer.from(owner, 'base64url').toString()).toMatch(/^local\.bot\./);
  for (const form of [key, `Bearer ${key}`, `bearer ${key}`]) {
    expect((await publicClient(platform.url, form)('GET', `${org}/gvc`)).body).toMatchObject({
      kind: 'list',
      items: [],
    });
  }
  expect((await send('GET', self)).text).not.toContain(rest);
  const refused = await publicClient(platform.url, key)('GET', gvc);
  expectRefusal(refused, 403);
  expect(refused.body['message']).toContain('[view]');
  expect(await send('PATCH', self, { '$drop/keys': [name] })).toMatchObject({ status: 200, body: { keys: [] } });
  expectRefusal(await publicClient(platform.url, key)('GET', `${org}/gvc`), 401);
});

test('group add-member checks each address, then appends and drops full links (platform/patch.clients)', async () => {
  expectRefusal(await send('GET', `${org}/user/-for/email/none@example.com`), 404);
  const member = linked((await send('GET', `${org}/user/-for/email/jane%40example.com`)).body, 'self');
  const self = `${org}/group/team`;
  expect((await send('PATCH', self, { '$append/memberLinks': [member] })).body['memberLinks']).toEqual([member]);
  expect((await send('PATCH', self, { '$drop/memberLinks': [member] })).body['memberLinks']).toEqual([]);
});

test('audit goes to the address that discovery names, by the id of the record (platform/wire.discovery, platform/audit.trail)', async () => {
  const { body: found } = await publicClient(platform.url, '')('GET', '/discovery');
  const audit = stringAt(objectAt(found, 'endpoints'), 'audit') ?? '';
  const side = publicClient(audit);
  const { body: record } = await send('GET', gvc);
  const window = `fromEvent=2000-01-01T00:00:00Z&toEvent=${new Date(nowMs + 1000).toISOString()}`;
  const path = `/audit${org}/resource/id/${String(record['id'])}?resourceType=gvc&contextName=scheme&${window}`;
  const { body } = await side('GET', path);
  expect(body).toMatchObject({ kind: 'queryresult', itemKind: 'auditevent', links: expect.any(Array) });
  const [event] = listAt(body, 'items').filter(isObject);
  expect(event).toMatchObject({
    resource: { id: record['id'], name: 'shop', type: 'gvc', data: { version: 1 } },
    action: { type: 'create' },
    subject: { data: { type: 'user', principalLink: `${org}/user/admin@example.com` } },
    context: { org: 'local', name: 'scheme' },
    result: { status: 'OK' },
  });
  for (const time of ['eventTime', 'postedTime', 'receivedTime']) {
    expect(Date.parse(String(own(event ?? {}, time)))).toBeGreaterThan(0);
  }
  const none = await side('GET', `/audit${org}?subjectName=${encodeURIComponent(`${org}/serviceaccount/nobody`)}`);
  expect(none.body['items']).toEqual([]);
});

test('tf and crd append the self link to the address that discovery names (platform/clients.output)', async () => {
  const { endpoints } = (await send('GET', '/discovery')).body;
  const addresses = isObject(endpoints) ? endpoints : {};
  const terraform = await publicClient(stringAt(addresses, 'terraform-exporter') ?? '')('GET', gvc);
  expect(terraform).toMatchObject({ status: 200, text: expect.stringContaining('resource "') });
  const crd = await publicClient(stringAt(addresses, 'k8s-crd-exporter') ?? '')('GET', gvc);
  expect(crd).toMatchObject({ status: 200, body: { kind: expect.any(String), apiVersion: expect.any(String) } });
});

test.each(['gvc/shop', 'gvc/shop/workload/base', 'serviceaccount/bot', 'group/team', 'location/aws-us-west-2'])(
  'access-report, eventlog and permissions of %s (platform/audit.event-log, platform/access.report, platform/access.permissions)',
  async (path) => {
    const report = await send('GET', `${org}/${path}/-accessreport`);
    expect(report.body).toMatchObject({ kind: 'accessreport', created: expect.any(String), links: expect.any(Array) });
    for (const event of await allPages(send, 'GET', `${org}/${path}/-eventlog`)) {
      expect(event).toMatchObject({ kind: 'event', status: expect.any(String), context: expect.any(Object) });
    }
    const kind = path.split('/').at(-2) ?? '';
    const { body } = await send('GET', `${org}/${kind}/-schema/permissions`);
    expect(body).toMatchObject({ kind: 'permissions', targetKind: kind, implied: { manage: expect.any(Array) } });
  },
);
