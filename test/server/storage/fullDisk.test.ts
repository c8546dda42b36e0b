import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { type Served, type StorageAnswer, served } from './served.ts';

const root = temporaryFolder('full');

function secret(number: number) {
  return { name: `secret-${number}`, type: 'opaque', data: { payload: 'x'.repeat(30_000), encoding: 'plain' } };
}

/** Writes until one is refused; returns the last number that was stored, and the refusal. */
async function fill({ send }: Served, from = 0): Promise<{ readonly last: number; readonly refused: StorageAnswer }> {
  for (let number = from; number < from + 1_000; number += 1) {
    const answer = await send('POST', 'secret', secret(number));
    if (answer.status !== 201) return { last: number - 1, refused: answer };
  }
  throw new Error('the disk never got full');
}

interface Limit {
  readonly it: string;
  readonly code: string;
  /** Returns the folder for the data. */
  prepare(): string;
  full(server: Served, data: string): void;
  free(server: Served, data: string): void;
  end(data: string): void;
}

function fileSize(server: Served, bytes: string): void {
  execFileSync('prlimit', ['--pid', String(server.running.child.pid), `--fsize=${bytes}:unlimited`]);
}

// biome-ignore format: a row is a case
const limits: readonly Limit[] = [
  { it: 'a process with a limit for the size of its files', code: 'unavailable', prepare: () => 'limited',
    full: (server, data) => fileSize(server, String(statSync(join(root, data, 'platform.db-wal')).size + 200_000)),
    free: (server) => fileSize(server, 'unlimited'), end: () => undefined },
  {
    it: 'a full disk',
    code: 'storage_full',
    prepare() {
      mkdirSync(join(root, 'small'));
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', join(root, 'small')]);
      return 'small/data';
    },
    full: () =>
      execFileSync('dd', ['if=/dev/zero', `of=${join(root, 'small', 'ballast')}`, 'bs=1k', 'count=9000'], {
        stdio: 'ignore',
      }),
    free: () => rmSync(join(root, 'small', 'ballast')),
    end: () => execFileSync('umount', [join(root, 'small')]),
  },
];

test.for(limits)(
  'with $it, writes and health are 503 and reads work, and all works when space is free again',
  async (limit, { skip }) => {
    skip(limit.code === 'storage_full' && process.getuid?.() !== 0, 'only root may mount a small disk');
    const data = limit.prepare();
    const server = await served(data, root);
    try {
      const { send } = server;
      expect((await send('POST', 'gvc', { name: 'before' })).status).toBe(201);
      expect((await send('GET', '/-health')).body).toEqual({ status: 'ok' });
      limit.full(server, data);

      const { last, refused } = await fill(server);
      const expected = { status: 503, code: limit.code, retryAfter: expect.stringMatching(/^\d+$/) };
      expect(refused).toMatchObject(expected);
      expect(refused.message).toMatch(/free some space|try again/);
      for (let again = 0; again < 3; again += 1) {
        expect(await send('POST', 'secret', secret(last + 1))).toMatchObject(expected);
        expect(await send('GET', '/-health')).toMatchObject({
          status: 503,
          retryAfter: expect.stringMatching(/^\d+$/),
        });
      }
      const together = await Promise.all([1, 2, 3, 4].map((more) => send('PUT', 'secret', secret(last + more))));
      expect(together.map(({ status }) => status)).toEqual([503, 503, 503, 503]);

      // Answered writes are stored, refused ones are not.
      expect((await send('GET', 'gvc/before')).status).toBe(200);
      expect((await send('GET', `secret/secret-${last + 1}`)).status).toBe(404);
      if (last >= 0) expect((await send('GET', `secret/secret-${last}`)).status).toBe(200);
      expect((await send('GET', 'secret?limit=5')).status).toBe(200);

      limit.free(server, data);
      expect((await send('GET', '/-health')).body).toEqual({ status: 'ok' });
      expect((await send('POST', 'secret', secret(last + 1))).status).toBe(201);
      expect((await send('GET', `secret/secret-${last + 1}`)).status).toBe(200);
      expect(await server.end()).not.toContain('internal error');
    } finally {
      server.running.child.kill('SIGKILL');
      await server.running.ended;
      limit.end(data);
    }
  },
);

test('writes that were answered before the disk was full survive a restart', async () => {
  writeFileSync(join(root, 'marker'), '');
  const server = await served('restarted', root);
  fileSize(server, String(statSync(join(root, 'restarted', 'platform.db-wal')).size + 100_000));
  const { last } = await fill(server);
  server.running.child.kill('SIGKILL');
  await server.running.ended;
  const again = await served('restarted', root);
  const statuses = await Promise.all(
    [last, last + 1].map(async (number) => (await again.send('GET', `secret/secret-${number}`)).status),
  );
  await again.end();
  expect(statuses).toEqual([200, 404]);
});
