import { expect } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { allow, makeCaller, makeGvc, makeVolumeSet, makeWorkload, specOf } from '../harness/fixtures.ts';
import { at, itemsAt } from '../harness/place.ts';
import { ownRow, parted, partOf, type Row, row } from '../harness/row.ts';
import type { Wire } from '../harness/wire.ts';

async function as(wire: Wire, key: string, method: string, path: string, body?: JsonObject): Promise<number> {
  return (await wire.call(method, path, body, { authorization: key })).status;
}

/** Demands that records, lists, queries, events and snapshots do not show the value of a key. */
export async function keyIsShownOnce(wire: Wire): Promise<void> {
  const name = wire.name('robot');
  await wire.ok('POST', 'serviceaccount', { name });
  const key = String((await wire.ok('POST', `serviceaccount/${name}/-addKey`, { description: 'x' }))['key']);
  expect(key).toMatch(/^s[^.]+\.[^.]+\.[^.]+$/);
  expect(await as(wire, key, 'GET', 'gvc')).toBe(200);
  const trail = await wire.call('GET', '/audit/org/local?resourceType=serviceaccount');
  expect(trail.text).not.toContain('digest');
  for (const { text } of [
    trail,
    ...(await Promise.all(
      ['serviceaccount', `serviceaccount/${name}`, '/-snapshot?secrets=true'].map((path) => wire.call('GET', path)),
    )),
    await wire.call('POST', 'serviceaccount/-query', {}),
  ]) {
    expect(text).toContain(name);
    for (const secret of [key, key.split('.')[2] ?? '']) expect(text).not.toContain(secret);
  }
  expect((await wire.call('GET', `serviceaccount/${name}/-eventlog`)).text).not.toContain(key);
}

const authenticationRows: readonly Row[] = [
  row('access/header', 'every request carries the key in Authorization, bare or as Bearer', async (wire) => {
    for (const authorization of [
      'secret-token',
      'Bearer secret-token',
      'bearer secret-token',
      'BEARER  secret-token',
    ]) {
      expect((await wire.call('GET', 'gvc', undefined, { authorization })).status, authorization).toBe(200);
    }
    const others = [
      'Basic secret-token',
      'Token secret-token',
      'Bearer secret-token x',
      'SECRET-TOKEN',
      'secret-token x',
    ];
    others.push('s0123456789.bG9jYWwuZ2hvc3QueA.y');
    for (const authorization of [null, '', 'wrong', 'Bearer wrong', 'Bearer', 'Bearer ', ...others]) {
      const reply = await wire.call('GET', 'gvc', undefined, { authorization });
      expect(reply.status).toBe(401);
      expect(reply.body).toMatchObject({ status: 401, code: 'unauthorized' });
      // The token is checked before the body is read.
      expect((await wire.call('POST', 'gvc', '{', { authorization })).status).toBe(401);
    }
  }),
  row(
    'access/key of a service account',
    'the key of a service account is accepted, and names its account in the audit trail',
    async (wire) => {
      const { link, key } = await makeCaller(wire);
      expect(await as(wire, key, 'GET', 'gvc')).toBe(200);
      await allow(wire, 'gvc', 'create', link);
      const name = wire.name('gvc');
      expect(await as(wire, key, 'POST', 'gvc', { name })).toBe(201);
      const { id } = await wire.get(`gvc/${name}`);
      const found = await wire.get(`/audit/org/local/resource/id/${id}`);
      expect(itemsAt(found, 'items')).toMatchObject([{ subject: { data: { principalLink: link } } }]);
    },
  ),
  row('access/key is shown once', 'a key is made by -addKey, and its value is shown only there', keyIsShownOnce),
  row(
    'access/token of one call',
    'each request has its own token, so that simultaneous callers stay separate',
    async (wire) => {
      const [one, other] = [await makeCaller(wire), await makeCaller(wire)];
      await allow(wire, 'ipset', 'create', one.link);
      const statuses = [one, other].map(({ key }) => as(wire, key, 'POST', 'ipset', { name: wire.name('ipset') }));
      expect(await Promise.all(statuses)).toEqual([201, 403]);
    },
  ),
  parted(
    'access/reads need authorisation',
    'a read is answered only when the caller may view the record; policies decide (platform/access.permissions, platform/access.evaluation)',
    [
      'without view, an existing record is 403 naming the permission, an absent one 404, and lists omit the record',
      async (wire) => {
        const { link, key } = await makeCaller(wire);
        const gvc = await makeGvc(wire);
        const reply = await wire.call('GET', `gvc/${gvc}`, undefined, { authorization: key });
        expect([reply.status, reply.body['message']]).toEqual([403, expect.stringContaining('[view]')]);
        for (const [method, path] of [
          ['GET', 'gvc/none'],
          ['DELETE', 'gvc/none'],
          ['GET', 'gvc/none/workload/none'],
        ] as const) {
          expect(await as(wire, key, method, path)).toBe(404);
        }
        expect(await as(wire, key, 'PATCH', 'gvc/none', {})).toBe(404);
        expect(await as(wire, key, 'GET', '/org/other')).toBe(404);
        const lists = [
          ['GET', 'gvc'],
          ['POST', 'gvc/-query'],
        ] as const;
        for (const [method, path] of lists) {
          expect((await wire.call(method, path, undefined, { authorization: key })).body['items']).toEqual([]);
        }
        const bindings = [{ permissions: ['view'], principalLinks: [link] }];
        await wire.ok('POST', 'policy', {
          name: wire.name('policy'),
          targetKind: 'gvc',
          targetLinks: [`//gvc/${gvc}`],
          bindings,
        });
        const list = await wire.call('GET', 'gvc', undefined, { authorization: key });
        expect(itemsAt(list.body, 'items').map(({ name }) => name)).toEqual([gvc]);
        expect(await as(wire, key, 'PATCH', `gvc/${gvc}`, { description: 'x' })).toBe(403);
      },
    ],
  ),
];

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

const eventRows: readonly Row[] = [
  parted(
    'audit/audit trail',
    "the audit trail is queried by subject, context and time window; the platform's own events are in its own context",
    partOf('an event has its action, resource, subject and result; the newest is first', async (wire) => {
      const name = wire.name('gvc');
      await wire.ok('POST', 'gvc', { name });
      await wire.refused(400, 'PATCH', `gvc/${name}`, { spec: { nope: 1 } });
      const { id } = await wire.get(`gvc/${name}`);
      const found = await wire.get(`/audit/org/local/resource/name/${name}`);
      const events = itemsAt(found, 'items');
      expect(events).toHaveLength(2);
      expect(events[0]).toMatchObject({ action: { type: 'edit' }, result: { message: expect.any(String) } });
      expect(at(events[0], 'result/status')).not.toBe('OK');
      expect(events[1]).toMatchObject({
        id: expect.any(String),
        requestId: expect.any(String),
        eventTime: expect.stringMatching(time),
        postedTime: expect.stringMatching(time),
        receivedTime: expect.stringMatching(time),
        resource: { id, name, type: 'gvc', data: { name, version: 1 } },
        action: { type: 'create' },
        subject: {
          email: 'admin@example.com',
          data: { type: 'user', principalLink: '/org/local/user/admin@example.com' },
        },
        context: { org: 'local', name: 'scheme', remoteIp: expect.any(String) },
        result: { status: 'OK' },
      });
      const one = await wire.get(`/audit/org/local/id/${events[1]?.['id']}`);
      expect(one).toMatchObject({ id: events[1]?.['id'] });
    }),
  ),
  ownRow('audit/event log', 'an event log can be read for each resource', {}, async (wire) => {
    const gvc = await makeGvc(wire);
    const workload = await makeWorkload(wire, gvc, specOf('standard'));
    await wire.advance('10m');
    expect(itemsAt(await wire.get(`${workload}/-eventlog`), 'items').length).toBeGreaterThan(0);
    const others = [
      `gvc/${gvc}`,
      `gvc/${gvc}/volumeset/${await makeVolumeSet(wire, gvc)}`,
      'group/viewers',
      'location/aws-us-east-1',
    ];
    for (const path of others)
      expect(await wire.get(`${path}/-eventlog`)).toMatchObject({ kind: 'list', itemKind: 'event' });
  }),
  ownRow(
    'audit/record shapes',
    'an event of the log has a status, a count, its times and a context with a component',
    {},
    async (wire) => {
      const workload = await makeWorkload(wire, await makeGvc(wire), specOf('standard'));
      await wire.advance('10m');
      for (const event of itemsAt(await wire.get(`${workload}/-eventlog`), 'items')) {
        expect(event).toMatchObject({
          kind: 'event',
          id: expect.any(String),
          created: expect.any(String),
          lastEventTime: expect.any(String),
          eventCount: expect.any(Number),
          status: expect.any(String),
          context: {
            component: expect.stringMatching(
              /^(actuator|dns-updater|scheduler|iam-broker|metadata-proxy|data-service)$/,
            ),
          },
        });
      }
    },
  ),
  row('audit/push', 'there are no push notifications: events are read, and paths of hooks are 404', async (wire) => {
    for (const path of ['webhook', 'gvc/-subscribe', '/webhook']) await wire.refused(404, 'GET', path);
  }),
];

export const serviceRows: readonly Row[] = [...authenticationRows, ...eventRows];
