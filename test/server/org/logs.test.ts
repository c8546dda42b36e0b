import { expect, test } from 'vitest';
import { testPlatform } from '../platform.ts';

test('logs are found where discovery says, and are empty: no container is run (platform/wire.discovery)', async () => {
  const platform = await testPlatform();
  const { body } = await platform.send('GET', '/discovery');
  const { logs } = Object(body['endpoints']);
  const headers = { authorization: 'secret-token' };
  const answer = await fetch(`${logs}/logs/org/local/loki/api/v1/query_range?query=%7B%7D&limit=10`, { headers });
  const data = { resultType: 'streams', result: [] };
  expect([answer.status, await answer.json()]).toEqual([200, { status: 'success', data }]);
  await platform.close();
});
