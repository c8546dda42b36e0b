import { expect, test } from 'vitest';
import { isObject, listAt, objectAt, stringAt } from '../../../src/base/json/json.ts';
import { platformForAll, type Send } from '../platform.ts';

/** Keys of a caller without permissions, one who can read the trail of `own`, and one who can write to it. */
const keys = new Map<string, string>();

const platform = platformForAll({}, async (platform) => {
  await platform.send('POST', 'auditctx', { name: 'own' });
  for (const name of ['nobody', 'reader', 'writer']) {
    await platform.send('POST', 'serviceaccount', { name });
    const { body } = await platform.send('POST', `serviceaccount/${name}/-addKey`, { description: 'test' });
    keys.set(name, stringAt(body, 'key') ?? '');
  }
  for (const [account, permission] of [
    ['reader', 'readAudit'],
    ['writer', 'writeAudit'],
  ]) {
    await platform.send('POST', 'policy', {
      name: `${account}s`,
      targetKind: 'auditctx',
      targetLinks: ['//auditctx/own'],
      bindings: [{ permissions: [permission], principalLinks: [`//serviceaccount/${account}`] }],
    });
  }
  await send('writer', 'POST', '/audit/org/local/auditctx/own', { resource: { id: 'o1', type: 'order' } });
});

function send(account: string, ...request: Parameters<Send>) {
  return platform.as(`Bearer ${keys.get(account) ?? ''}`)(...request);
}

const trail = '/audit/org/local';

test.each([
  ['nobody', `${trail}?contextName=own`, 403],
  ['reader', `${trail}?contextName=own`, 200],
  ['writer', `${trail}?contextName=own`, 403],
  ['reader', trail, 403],
  ['reader', `${trail}/resource/id/o1?contextName=own`, 200],
  ['reader', `${trail}/resource/name/x?contextName=own`, 200],
  ['reader', `${trail}/resource/id/o1`, 403],
])(
  '%s reads %s with status %d, by readAudit on the audit context (platform/access.permissions)',
  async (account, path, expected) => {
    const { status, body } = await send(account, 'GET', path);
    expect(status).toBe(expected);
    if (status === 403) expect(body['message']).toContain('[readAudit]');
  },
);

test('a read of one event by its id needs readAudit on its context', async () => {
  const { body } = await send('reader', 'GET', `${trail}?contextName=own`);
  const [event] = listAt(body, 'items').filter(isObject);
  const path = `${trail}/id/${String(event?.['id'])}`;
  expect([(await send('reader', 'GET', path)).status, (await send('nobody', 'GET', path)).status]).toEqual([200, 403]);
  expect(event).toMatchObject({
    subject: { name: 'writer', data: { principalLink: '/org/local/serviceaccount/writer' } },
    context: { name: 'own', eventSource: '/org/local/serviceaccount/writer' },
  });
});

test.each([
  ['nobody', 'own'],
  ['reader', 'own'],
  ['writer', 'scheme'],
])('%s cannot write to the audit context %s (platform/access.permissions)', async (account, context) => {
  const answer = await send(account, 'POST', `${trail}/auditctx/${context}`, { resource: { id: 'x', type: 'y' } });
  expect([answer.status, answer.body['message']]).toEqual([403, expect.stringContaining('[writeAudit]')]);
});

test('a write without permission is in the trail, with its caller (platform/audit.trail)', async () => {
  await send('nobody', 'POST', '/org/local/group', { name: 'team' });
  await send('nobody', 'DELETE', '/org/local/group/viewers');
  await send('nobody', 'POST', '/org', { name: 'mine' });
  const { body } = await platform.send('GET', `${trail}?subjectName=//serviceaccount/nobody`);
  expect(
    listAt(body, 'items')
      .filter(isObject)
      .slice(0, 3)
      .map((event) => [
        stringAt(objectAt(event, 'action'), 'type'),
        stringAt(objectAt(event, 'resource'), 'type'),
        stringAt(objectAt(event, 'result'), 'status'),
      ]),
  ).toEqual([
    ['create', 'org', 'DENIED'],
    ['delete', 'group', 'DENIED'],
    ['create', 'group', 'DENIED'],
  ]);
});

test('the list of orgs omits those that the caller cannot view', async () => {
  expect((await send('nobody', 'GET', '/org')).body).toMatchObject({ kind: 'list', items: [] });
  expect((await send('nobody', 'GET', '/user')).body).toMatchObject({ kind: 'serviceaccount', name: 'nobody' });
});

test('a caller of another org gets 404 for the trail of this one', async () => {
  await platform.send('POST', '/org', { name: 'second' });
  expect((await send('reader', 'GET', '/audit/org/second')).status).toBe(404);
  expect((await send('reader', 'GET', '/-exporter/crd/org/second/group')).status).toBe(404);
});
