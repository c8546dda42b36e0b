import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { type Reply, serve } from './fakeServer.ts';

const ref = { kind: 'gvc', name: 'shop' } as const;
const record = { id: 'u', kind: 'gvc', name: 'shop', version: 4, description: 'new' };

/** A platform that gives this answer to writes, and has this record. */
function answering(written: Reply, found: JsonObject | null = record) {
  return serve(({ method }) => (method === 'GET' ? (found === null ? { status: 404 } : { body: found }) : written));
}

describe('an answer to a write that is not a record is completed by a read', () => {
  test.each<{ readonly it: string; readonly answer: Reply }>([
    { it: 'an empty object', answer: { body: {} } },
    { it: '204', answer: { status: 204, text: '' } },
    { it: '202', answer: { status: 202, text: '' } },
    { it: 'what was sent', answer: { body: { id: 'u', version: 3, description: 'new' } } },
    { it: 'a record with an invalid version', answer: { body: { ...record, version: 2 ** 60 } } },
    { it: 'a record with an invalid id', answer: { body: { ...record, id: 7 } } },
    { it: 'a record with an invalid name', answer: { body: { ...record, name: '../shop' } } },
    { it: 'another thing, with an id', answer: { status: 202, body: { id: 'op-1', kind: 'operation', name: 'x' } } },
  ])('$it', async ({ answer }) => {
    const { client, lines } = await answering(answer);
    expect(await client.patch(ref, { id: 'u', version: 3, description: 'new' })).toMatchObject({
      uid: 'u',
      version: 4,
    });
    expect(lines()).toEqual(['PATCH /org/acme/gvc/shop', 'GET /org/acme/gvc/shop']);
    const posted = await answering(answer);
    expect(await posted.client.create(ref, { name: 'shop' })).toMatchObject({ uid: 'u' });
    expect(posted.lines()).toEqual(['POST /org/acme/gvc', 'GET /org/acme/gvc/shop']);
  });

  test('the error says that the write was accepted if the record does not exist yet', async () => {
    const { client } = await answering({ status: 202, text: '' }, null);
    await expect(client.create(ref, { name: 'shop' })).rejects.toMatchObject({ code: 'api.unseen' });
  });

  test('the write is not reported as failed if the record cannot be read', async () => {
    const { client } = await serve(({ method }) => (method === 'GET' ? { status: 401 } : { status: 204, text: '' }));
    await expect(client.patch(ref, {})).rejects.toMatchObject({
      code: 'api.unseen',
      message: expect.stringContaining('gvc/shop was written, and cannot be read'),
    });
  });
});

test('delete.absent, delete.again: 410 counts as 404', async () => {
  const { client } = await serve(() => ({ status: 410, body: { message: 'gone for good' } }));
  expect(await client.read(ref)).toBeUndefined();
  await expect(client.delete(ref)).resolves.toBe('not-found');
});

test('write.spent-name: 410 for a creation reports that the name cannot be reused; 409 does not', async () => {
  const gone = await answering({ status: 410, body: { message: 'gone for good' } });
  await expect(gone.client.create(ref, {})).rejects.toMatchObject({ code: 'api.name-spent', status: 410 });
  const taken = await answering({ status: 409, body: { message: 'exists' } });
  await expect(taken.client.create(ref, {})).rejects.toMatchObject({ code: 'api.conflict' });
});
