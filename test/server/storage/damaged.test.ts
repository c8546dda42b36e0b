import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runCli } from '../../cli/process.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { served } from './served.ts';

const root = temporaryFolder('damaged');

/** Makes a folder with a database of some hundred pages, from a server that was stopped properly. */
beforeAll(async () => {
  const server = await served('whole', root);
  for (let number = 0; number < 60; number += 1) {
    const data = { payload: 'x'.repeat(10_000), encoding: 'plain' };
    await server.send('POST', 'secret', { name: `secret-${number}`, type: 'opaque', data });
  }
  await server.end();
});

function copied(name: string): string {
  mkdirSync(join(root, name), { mode: 0o700 });
  for (const file of ['platform.db', 'platform.db.key'])
    copyFileSync(join(root, 'whole', file), join(root, name, file));
  return join(root, name, 'platform.db');
}

/** Overwrites some pages of the file, but not its header. */
function overwrite(file: string, from: number, to: number): void {
  const size = statSync(file).size;
  const start = Math.max(4096, Math.floor((size * from) / 4096) * 4096);
  const bytes = Buffer.alloc(Math.floor(size * to) - start, 0x5a);
  const handle = openSync(file, 'r+');
  writeSync(handle, bytes, 0, bytes.length, start);
  closeSync(handle);
}

const write = { name: 'new', type: 'opaque', data: { payload: 'y', encoding: 'plain' } };
const refusal = { status: 503, code: 'storage_damaged', retryAfter: expect.stringMatching(/^\d+$/) };

test('with a database file damaged before the start, health and writes are 503, without an internal error', async () => {
  overwrite(copied('before'), 0.5, 0.56);
  const server = await served('before', root);
  const health = await server.send('GET', '/-health');
  expect(health).toMatchObject(refusal);
  expect(health.message).toContain('restore a backup of the database');
  expect(await server.send('POST', 'secret', write)).toMatchObject(refusal);
  expect(await server.send('DELETE', 'secret/secret-1')).toMatchObject(refusal);
  const reads = await Promise.all(
    ['gvc', 'secret', 'secret/secret-1', 'policy', 'user'].map((path) => server.send('GET', path)),
  );
  for (const { status } of reads) expect([200, 404, 503]).toContain(status);
  expect((await server.send('GET', '/discovery')).status).toBe(200);
  expect(await server.end()).not.toMatch(/internal error|"stack"/);
});

test.each([
  { it: 'is overwritten', harm: (file: string) => overwrite(file, 0.2, 1) },
  { it: 'is emptied', harm: (file: string) => truncateSync(file, 0) },
  { it: 'is deleted', harm: (file: string) => unlinkSync(file) },
])(
  'if a database file $it while the server runs, health and writes are 503, without an internal error',
  async ({ it, harm }) => {
    const folder = it.replace(' ', '-');
    const file = copied(folder);
    const server = await served(folder, root);
    expect((await server.send('GET', '/-health')).body).toEqual({ status: 'ok' });
    harm(file);
    await expect.poll(async () => server.send('GET', '/-health')).toMatchObject(refusal);
    expect(await server.send('POST', 'secret', write)).toMatchObject(refusal);
    expect(await server.end()).not.toMatch(/internal error|"stack"/);
  },
);

interface Start {
  readonly it: string;
  readonly harm: (file: string) => void;
  readonly code: string;
}

const starts: readonly Start[] = [
  { it: 'emptied', harm: (file) => truncateSync(file, 0), code: 'server.emptied' },
  { it: 'missing', harm: (file) => unlinkSync(file), code: 'server.emptied' },
  { it: 'damaged', harm: (file) => overwrite(file, 0.05, 0.9), code: 'server.data' },
  { it: 'overwritten', harm: (file) => writeFileSync(file, 'x'.repeat(100_000)), code: 'server.data' },
];

test.each(starts)('a database that is $it beside its key is refused at every start', async ({ it, harm, code }) => {
  const file = copied(`start-${it}`);
  harm(file);
  for (let tries = 0; tries < 2; tries += 1) {
    const outcome = await runCli(['serve', '--port', '0', '--data', `start-${it}`, '--token', 't'], root);
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(new RegExp(`^error ${code}: .+\\n {2}hint: .*backup`));
  }
  const embedded = await runCli(['status', '--embedded', '--data', `start-${it}`, '--stack', 'a'], root);
  expect([embedded.code, embedded.stderr]).toEqual([1, expect.stringContaining(`error ${code}`)]);
});

test('a server starts a new platform in a folder without a database and its key', async () => {
  unlinkSync(copied('anew'));
  unlinkSync(join(root, 'anew', 'platform.db.key'));
  const server = await served('anew', root);
  expect((await server.send('GET', '/org/local')).status).toBe(200);
  await server.end();
});
