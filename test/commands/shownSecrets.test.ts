import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { Api } from '../../src/commands/call/api.ts';
import { serve } from '../client/fakeServer.ts';

const value = { type: 'opaque', id: 'u', version: 1, data: { payload: '***' } };
const secret = { kind: 'secret', name: 's', ...value };

test('commands on single records see secret values only with -reveal, whatever the platform shows', async () => {
  let shown: JsonObject = secret;
  const { client } = await serve(({ path }) => ({
    body: path.endsWith('?limit=10') ? { kind: 'list', items: [secret], links: [] } : shown,
  }));
  const api = new Api({ client, dialect: undefined }, undefined);
  expect(await api.get('/org/acme/secret/s')).not.toHaveProperty('data');
  expect((await api.send('PATCH', '/org/acme/secret/s', { description: 'new' })).record).not.toHaveProperty('data');
  expect((await api.list('/org/acme/secret?limit=10', 0)).items).toEqual([
    expect.not.objectContaining({ data: expect.anything() }),
  ]);
  shown = value;
  expect((await api.send('PUT', '/org/acme/secret/s?x=1', value)).record).not.toHaveProperty('data');
  shown = secret;
  expect(await api.get('/org/acme/secret/s/-reveal')).toHaveProperty('data');
});
