import { expect, test } from 'vitest';
import { objectAt } from '../../../src/base/json/json.ts';
import { platformForEach } from '../platform.ts';

const platform = platformForEach();

test('-info shows the state of an agent (platform/wire.paths)', async () => {
  const { body } = await platform.send('POST', 'agent', { name: 'dc-west' });
  expect((await platform.send('GET', 'agent/dc-west/-info')).body).toMatchObject({
    agentId: body['id'],
    agentLink: '/org/local/agent/dc-west',
    connected: false,
  });
  expect((await platform.send('GET', 'agent/none/-info')).status).toBe(404);
  expect((await platform.send('POST', 'agent/dc-west/-info')).status).toBe(405);
});

test('the status of a cloud account says whether it is usable, and when that was checked (platform/agent)', async () => {
  const created = await platform.send('POST', 'cloudaccount', {
    name: 'main',
    provider: 'aws',
    data: { roleArn: 'arn:aws:iam::123456789012:role/platform' },
  });
  expect(created.status).toBe(201);
  const { lastChecked, ...status } = objectAt(created.body, 'status');
  expect(status).toEqual({ usable: true, lastError: '' });
  const later = await platform.send('POST', 'agent', { name: 'later' });
  const times = [created.body['created'], lastChecked, later.body['created']];
  expect(times.toSorted()).toEqual(times);
});

test('instructions exist for a cloud account at each known provider, and for no other (platform/wire.paths)', async () => {
  for (const provider of ['aws', 'gcp', 'azure', 'ngs']) {
    const instructions = expect.arrayContaining([expect.stringContaining(`provider: ${provider}`)]);
    const { body } = await platform.send('GET', `cloudaccount/-instructions/${provider}`);
    expect(body).toMatchObject({ provider, instructions });
  }
  for (const provider of ['other', 'constructor', '__proto__']) {
    expect((await platform.send('GET', `cloudaccount/-instructions/${provider}`)).status).toBe(400);
  }
});
