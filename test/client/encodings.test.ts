import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { record } from './fakeServer.ts';
import { serveRaw, whole } from './hostileServer.ts';

const gvc = { kind: 'gvc', name: 'shop' } as const;
const text = JSON.stringify(record('gvc', 'shop', { description: 'compressed' }));

test.each([
  ['gzip', gzipSync(text)],
  ['x-gzip', gzipSync(text)],
  ['br', brotliCompressSync(text)],
  ['deflate', deflateSync(text)],
  ['deflate', deflateRawSync(text)],
  ['Identity', Buffer.from(text)],
])('an answer in the encoding %s is read', async (encoding, bytes) => {
  const { client } = await serveRaw((socket) =>
    socket.write(whole(bytes, '200 OK', [`content-encoding: ${encoding}`])),
  );
  expect((await client.read(gvc))?.record['description']).toBe('compressed');
});

test("a compressed refusal shows the platform's message, without the token", async () => {
  const refusal = gzipSync(JSON.stringify({ status: 400, message: 'no token-that-nobody-may-see' }));
  const { client } = await serveRaw((socket) =>
    socket.write(whole(refusal, '400 Bad Request', ['content-encoding: gzip'])),
  );
  await expect(client.read(gvc)).rejects.toMatchObject({ message: expect.stringMatching(/^(?!.*nobody-may-see)/) });
});

describe('a redirect on the same origin to the same path below another one', () => {
  const moved = (status: string, keeps: boolean) =>
    serveRaw((socket, { line }) => {
      const [, path = ''] = line.split(' ');
      if (path.startsWith('/v2/')) return socket.write(whole(text));
      return socket.write(whole('', status, [`location: ${keeps ? `/v2${path}` : `/v2${path}/?a=b`}`]));
    });

  test.each(['301 Moved', '302 Found', '307 Temporary Redirect', '308 Permanent Redirect'])(
    'is followed by a GET (%s), with the token',
    async (status) => {
      const { client, asked } = await moved(status, false);
      expect((await client.read(gvc))?.id).toBe('gvc/shop');
      expect(asked.map(({ line }) => line.split(' ')[1])).toEqual(['/org/acme/gvc/shop', '/v2/org/acme/gvc/shop/?a=b']);
      expect(asked.every(({ hasToken }) => hasToken)).toBe(true);
    },
  );

  test.each(['307 Temporary Redirect', '308 Permanent Redirect'])('is followed by a PATCH (%s)', async (status) => {
    const { client, asked } = await moved(status, true);
    expect((await client.patch(gvc, { description: 'new' })).id).toBe('gvc/shop');
    expect(asked.map(({ line }) => line.split(' ')[0])).toEqual(['PATCH', 'PATCH']);
  });

  test.each(['301 Moved', '302 Found'])('is not followed by a PATCH, which would become a GET (%s)', async (status) => {
    const { client, asked } = await moved(status, true);
    await expect(client.patch(gvc, { description: 'new' })).rejects.toMatchObject({ code: 'api.redirect' });
    expect(asked).toHaveLength(1);
  });

  test('that is permanent is remembered: the next request goes directly there', async () => {
    const { client, asked } = await moved('308 Permanent Redirect', true);
    await client.read(gvc);
    await client.read(gvc);
    expect(asked.map(({ line }) => line.split(' ')[1])).toEqual([
      '/org/acme/gvc/shop',
      '/v2/org/acme/gvc/shop',
      '/v2/org/acme/gvc/shop',
    ]);
  });
});
