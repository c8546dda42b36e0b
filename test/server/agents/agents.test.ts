import { expect, test } from 'vitest';
import { objectAt, stringAt } from '../../../src/base/json/json.ts';
import { platformForEach } from '../platform.ts';

const platform = platformForEach();

test('the registration token of an agent is in the answer to its creation only (platform/agent)', async () => {
  const created = await platform.send('POST', 'agent', { name: 'dc-west' });
  const config = objectAt(objectAt(created.body, 'status'), 'bootstrapConfig');
  const token = stringAt(config, 'registrationToken') ?? '';
  expect(token.length).toBeGreaterThan(20);
  expect(config).toMatchObject({
    agentId: created.body['id'],
    agentLink: '/org/local/agent/dc-west',
    protocolVersion: 'v1',
  });
  for (const answer of [
    await platform.send('GET', 'agent/dc-west'),
    await platform.send('PATCH', 'agent/dc-west', { description: 'x' }),
    await platform.send('GET', 'agent'),
    await platform.send('GET', '/audit/org/local'),
  ]) {
    expect(answer.status).toBe(200);
    expect(JSON.stringify(answer.body)).not.toContain(token);
  }
  const read = await platform.send('GET', 'agent/dc-west');
  expect(objectAt(read.body, 'status')).toEqual({});
});

test('-info of an agent (platform/wire.paths)', async () => {
  const { body } = await platform.send('POST', 'agent', { name: 'dc-west' });
  expect((await platform.send('GET', 'agent/dc-west/-info')).body).toMatchObject({
    agentId: body['id'],
    agentLink: '/org/local/agent/dc-west',
    connected: false,
  });
  expect((await platform.send('GET', 'agent/none/-info')).status).toBe(404);
  expect((await platform.send('POST', 'agent/dc-west/-info')).status).toBe(405);
});

test('the status of a cloud account says whether it works, and since when that is known (platform/agent)', async () => {
  const before = new Date().toISOString();
  const created = await platform.send('POST', 'cloudaccount', {
    name: 'main',
    provider: 'aws',
    data: { roleArn: 'arn:aws:iam::123456789012:role/platform' },
  });
  expect(created.status).toBe(201);
  const { lastChecked, ...status } = objectAt(created.body, 'status');
  expect(status).toEqual({ usable: true, lastError: '' });
  const times = [before, lastChecked, new Date().toISOString()];
  expect(times.toSorted()).toEqual(times);
});

test('an agent that a network resource names cannot be deleted (platform/deletion.references)', async () => {
  await platform.send('POST', 'agent', { name: 'dc-west' });
  await platform.send('POST', 'gvc', { name: 'shop' });
  const networkResources = [{ name: 'db', agentLink: '//agent/dc-west', FQDN: 'db.dc.example', ports: [5432] }];
  expect((await platform.send('POST', 'gvc/shop/identity', { name: 'app', networkResources })).status).toBe(201);
  const refused = await platform.send('DELETE', 'agent/dc-west');
  expect(refused.status).toBe(400);
  expect(refused.body['message']).toContain('/org/local/gvc/shop/identity/app');
});

test.each(['aws', 'gcp', 'azure', 'ngs'])(
  'there are instructions for an account at %s (platform/wire.paths)',
  async (provider) => {
    const answer = await platform.send('GET', `cloudaccount/-instructions/${provider}`);
    expect(answer.body).toMatchObject({
      provider,
      instructions: expect.arrayContaining([expect.stringContaining(`provider: ${provider}`)]),
    });
  },
);

test.each(['other', 'constructor', '__proto__'])('there are none for %s', async (provider) => {
  expect((await platform.send('GET', `cloudaccount/-instructions/${provider}`)).status).toBe(400);
});
