import { describe, expect, test } from 'vitest';
import { parseImageName } from '../../../src/server/records/orgRoutes.ts';
import { names, platformForEach } from '../platform.ts';

const platform = platformForEach();

test.each([
  ['web:1', { repository: 'web', tag: '1' }],
  ['shop-web.api_x:v1.2.3-rc1', { repository: 'shop-web.api_x', tag: 'v1.2.3-rc1' }],
  [`${'a'.repeat(128)}:${'b'.repeat(128)}`, { repository: 'a'.repeat(128), tag: 'b'.repeat(128) }],
  [`${'a'.repeat(129)}:1`, undefined],
  [`a:${'b'.repeat(129)}`, undefined],
  ['web', undefined],
  ['web:', undefined],
  [':1', undefined],
  ['Web:1', undefined],
  ['a/b:1', undefined],
  ['web:1:2', undefined],
  ['web:-1', undefined],
])('%s (platform/concepts.names)', (text, parsed) => {
  expect(parseImageName(text)).toEqual(parsed);
});

describe('images (platform/image)', () => {
  test('are created by a push only', async () => {
    expect((await platform.send('PUT', 'image', { name: 'web:1' })).status).toBe(405);
    expect((await platform.send('PUT', 'image/web:1', {})).status).toBe(404);
  });

  test('show repository, tag, digest and manifest', async () => {
    const pushed = await platform.send('POST', 'image/-simulate', { name: 'web:1', digest: 'sha256:abc' });
    expect(pushed.status).toBe(201);
    expect(pushed.headers.get('location')).toBe('/org/local/image/web:1');
    expect(pushed.body).toMatchObject({
      kind: 'image',
      name: 'web:1',
      repository: 'web',
      tag: '1',
      digest: 'sha256:abc',
      manifest: { schemaVersion: 2 },
      version: 1,
      tags: {},
    });
    expect((await platform.send('GET', 'image/web:1')).body).toEqual(pushed.body);
  });

  test('can be tagged, described and deleted', async () => {
    await platform.send('POST', 'image/-simulate', { name: 'web:1' });
    const tagged = await platform.send('PATCH', 'image/web:1', { tags: { keep: true }, digest: 'sha256:other' });
    expect(tagged.body).toMatchObject({ tags: { keep: true }, version: 2 });
    expect(tagged.body['digest']).not.toBe('sha256:other');
    expect((await platform.send('PATCH', 'image/web:1', { name: 'web:2' })).status).toBe(400);
    expect((await platform.send('PUT', 'image/web:1', { description: 'x' })).body).toMatchObject({ tags: {} });
    expect((await platform.send('DELETE', 'image/web:1')).status).toBe(202);
    expect((await platform.send('GET', 'image/web:1')).status).toBe(404);
  });

  test('get the new digest if their tag is pushed again', async () => {
    await platform.send('POST', 'image/-simulate', { name: 'web:1', digest: 'sha256:a' });
    await platform.send('PATCH', 'image/web:1', { tags: { keep: true } });
    const again = await platform.send('POST', 'image/-simulate', { name: 'web:1', digest: 'sha256:b' });
    expect(again.body).toMatchObject({ digest: 'sha256:b', tags: { keep: true }, version: 3 });
  });

  test('have as latest of a repository the one that was pushed last (platform/wire.paths)', async () => {
    for (const name of ['web:2', 'web:1', 'api:9']) await platform.send('POST', 'image/-simulate', { name });
    await platform.send('PATCH', 'image/web:2', { tags: { keep: true } });
    expect((await platform.send('GET', 'image/-latest/web')).body).toMatchObject({ name: 'web:1' });
    expect((await platform.send('GET', 'image/-latest/none')).status).toBe(404);
  });

  test('are found by repository, tag and digest (platform/query)', async () => {
    for (const name of ['web:1', 'web:2', 'api:1']) await platform.send('POST', 'image/-simulate', { name });
    const by = (property: string, value: string) =>
      platform.send('POST', 'image/-query', { spec: { terms: [{ property, value }] } });
    expect(names(await by('repository', 'web'))).toEqual(['web:1', 'web:2']);
    expect(names(await by('tag', '1'))).toEqual(['web:1', 'api:1']);
  });

  test.each([{}, { name: 'web' }, { name: 5 }, { name: 'web:1', manifest: [] }])(
    'are not created by the invalid push %j',
    async (body) => {
      expect((await platform.send('POST', 'image/-simulate', body)).status).toBe(400);
    },
  );
});
