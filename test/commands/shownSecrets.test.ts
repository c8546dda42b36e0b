import { expect, test } from 'vitest';
import { Api } from '../../src/commands/call/api.ts';
import { serve } from '../client/fakeServer.ts';

const secret = { kind: 'secret', name: 's', type: 'opaque', id: 'u', version: 1, data: { payload: '***' } };

test('commands on single records see secret values only with -reveal, whatever the platform shows', async () => {
  const { client } = await serve(({ path }) => ({
    body: path.includes('?') ? { kind: 'list', items: [secret], links: [] } : secret,
  }));
  const api = new Api({ client, dialect: undefined }, undefined);
  expect(await api.get('/org/acme/secret/s')).not.toHaveProperty('data');
  expect((await api.send('PATCH', '/org/acme/secret/s', { description: 'new' })).record).not.toHaveProperty('data');
  expect((await api.list('/org/acme/secret?limit=10', 0)).items).toEqual([
    expect.not.objectContaining({ data: expect.anything() }),
  ]);
  expect(await api.get('/org/acme/secret/s/-reveal')).toHaveProperty('data');
});
