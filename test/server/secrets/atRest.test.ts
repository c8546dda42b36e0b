import { mkdtemp, readdir, readFile, rm, stat, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { objectAt } from '../../../src/base/json/json.ts';
import { itemsFrom, type TestPlatform, testPlatform } from '../platform.ts';

const secret = 'a-value-that-nobody-may-read';
const opaque = { name: 'db-password', type: 'opaque', data: { payload: secret, encoding: 'plain' } };

let folder: string;
let data: string;
let running: TestPlatform | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-secrets-'));
  data = join(folder, 'platform.db');
});

afterEach(async () => {
  await running?.close();
  running = undefined;
  await rm(folder, { recursive: true });
});

async function start(secretKey?: string, org = 'local'): Promise<TestPlatform> {
  await running?.close();
  running = undefined;
  running = await testPlatform({ data, org, ...(secretKey === undefined ? {} : { secretKey }) });
  return running;
}

async function everythingOnDisk(): Promise<string> {
  const files = (await readdir(folder)).filter((name) => name.startsWith('platform.db') && !name.endsWith('.key'));
  expect(files).toContain('platform.db');
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'latin1')));
  return texts.join('\n');
}

describe('secrets at rest', () => {
  test('are in no file in plain text, even after a change and while the server runs', async () => {
    const { send } = await start();
    expect((await send('POST', 'secret', opaque)).status).toBe(201);
    const second = `${secret}-two`;
    expect((await send('PATCH', 'secret/db-password', { '$replace/data': { payload: second } })).status).toBe(200);
    expect(await everythingOnDisk()).not.toContain(secret);
    await running?.close();
    running = undefined;
    expect(await everythingOnDisk()).not.toContain(secret);
  });

  test('are readable after a restart with the key file beside the database, which only its owner can read', async () => {
    await (await start()).send('POST', 'secret', opaque);
    expect((await stat(`${data}.key`)).mode & 0o777).toBe(0o600);
    const revealed = await (await start()).send('GET', 'secret/db-password/-reveal');
    expect(objectAt(revealed.body, 'data')).toEqual({ payload: secret, encoding: 'plain' });
  });

  test('need no key file with a passphrase', async () => {
    await (await start('open sesame')).send('POST', 'secret', opaque);
    expect(await readdir(folder)).not.toContain('platform.db.key');
    const revealed = await (await start('open sesame')).send('GET', 'secret/db-password/-reveal');
    expect(objectAt(revealed.body, 'data')).toMatchObject({ payload: secret });
  });

  test('stay readable by an existing key file if a passphrase is set later', async () => {
    await (await start()).send('POST', 'secret', opaque);
    const revealed = await (await start('for something else')).send('GET', 'secret/db-password/-reveal');
    expect(objectAt(revealed.body, 'data')).toMatchObject({ payload: secret });
  });

  test('prevent the start with another passphrase', async () => {
    await start('open sesame');
    await expect(start('open barley')).rejects.toMatchObject({ code: 'server.secret-key' });
  });

  test('have one key for all orgs of a database, whichever org a server is started with', async () => {
    const first = await start('open sesame');
    await first.send('POST', '/org', { name: 'other' });
    await first.send('POST', '/org/other/secret', opaque);
    await expect(start('open barley', 'other')).rejects.toMatchObject({ code: 'server.secret-key' });
    const revealed = await (await start('open sesame', 'other')).send('GET', '/org/other/secret/db-password/-reveal');
    expect(objectAt(revealed.body, 'data')).toMatchObject({ payload: secret });
  });

  test('prevent the start without their key file, and no new key is made', async () => {
    await start();
    await running?.close();
    running = undefined;
    await unlink(`${data}.key`);
    await expect(start()).rejects.toMatchObject({ code: 'server.secret-key' });
    await expect(stat(`${data}.key`)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('a secret over the wire (platform/secret, rule S7)', () => {
  test('shows its values in the answer to -reveal only', async () => {
    const { send } = await start();
    const created = await send('POST', 'secret', opaque);
    const patched = await send('PATCH', 'secret/db-password', { tags: { a: '1' } });
    const answers = [
      created,
      patched,
      await send('GET', 'secret/db-password'),
      await send('GET', 'secret'),
      await send('POST', 'secret/-query', { spec: { terms: [{ property: 'name', value: 'db-password' }] } }),
      await send('POST', 'secret', opaque),
      await send('PUT', 'secret', { ...opaque, type: 'dictionary' }),
      await send('GET', 'secret/-for/type/opaque'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200, 409, 400, 200]);
    for (const { body } of answers) {
      expect(JSON.stringify(body)).not.toContain(secret);
      expect(body).not.toHaveProperty('data');
    }
  });

  test('shows its values in no audit trail, event log, exporter or snapshot', async () => {
    const { send } = await start();
    await send('POST', 'secret', opaque);
    await send('POST', 'secret', opaque);
    await send('PATCH', 'secret/db-password', { data: { payload: `${secret}-two` } });
    await send('PATCH', 'secret/db-password', { data: { nope: secret } });
    await send('POST', 'secret', `{"name": "x", "data": "${secret}`);
    await send('GET', 'secret/db-password/-reveal');
    await send('DELETE', 'secret/db-password');
    await send('POST', 'secret', opaque);
    for (const path of [
      '/audit/org/local',
      '/audit/org/local/resource/name/db-password',
      'secret/db-password/-eventlog',
      'secret/db-password/-accessreport',
      '/-exporter/crd/org/local/secret/db-password',
      '/-snapshot',
    ]) {
      const answer = await send('GET', path);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(JSON.stringify(answer.body)).not.toContain(secret);
    }
    expect(JSON.stringify((await send('GET', '/-snapshot?secrets=true')).body)).toContain(secret);
  });

  test('is unchanged if the same values are written again', async () => {
    const { send } = await start();
    await send('POST', 'secret', opaque);
    expect((await send('PUT', 'secret', opaque)).body['version']).toBe(1);
    expect((await send('PATCH', 'secret/db-password', { data: { payload: secret } })).body['version']).toBe(1);
    expect((await send('PATCH', 'secret/db-password', { data: { payload: 'new' } })).body['version']).toBe(2);
    expect((await send('GET', 'secret/db-password/-reveal')).body['data']).toEqual({
      payload: 'new',
      encoding: 'plain',
    });
  });
});

describe('GET secret/-for/type/{type} (platform/wire.paths)', () => {
  test('shows the secrets of that type, page by page', async () => {
    const { send } = await start();
    await send('POST', 'secret', opaque);
    for (const name of ['pairs-a', 'pairs-b']) {
      await send('POST', 'secret', { name, type: 'dictionary', data: { a: 'b' } });
    }
    const first = await send('GET', 'secret/-for/type/dictionary?limit=1');
    expect(first.body).toMatchObject({ kind: 'list', itemKind: 'secret', items: [{ name: 'pairs-a' }] });
    expect(await itemsFrom(send, first)).toMatchObject([{ name: 'pairs-a' }, { name: 'pairs-b' }]);
    expect((await send('GET', 'secret/-for/type/tls')).body).toMatchObject({ items: [] });
  });

  test('refuses an unknown type', async () => {
    const { send } = await start();
    expect((await send('GET', 'secret/-for/type/password')).status).toBe(400);
  });
});
