import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startServer } from '../../../src/server/start.ts';
import { startPostgres } from './startPostgres.ts';

/** A fresh PostgreSQL needs about 45 MB. */
const diskMegabytes = 90;

test('on a full disk of PostgreSQL, writes and health are 503 and reads work, and all works when space is free again', async ({
  skip,
}) => {
  skip(process.getuid?.() !== 0, 'only root may mount a small disk');
  const disk = mkdtempSync(join(tmpdir(), 'gantry-full-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m,mode=777`, 'tmpfs', disk]);
  try {
    const postgres = await startPostgres({ durable: true, parent: disk });
    const server = await startServer({ port: 0, token: 't', store: postgres.freshUrl() });
    const ask = async (path: string, body?: object) => {
      const method = body === undefined ? 'GET' : 'PUT';
      const headers = { authorization: 't', 'content-type': 'application/json' };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(server.url + path, { method, headers, ...sent });
      return [response.status, await response.json()];
    };
    const secret = (name: string) => {
      const data = { payload: 'x'.repeat(500_000), encoding: 'plain' };
      return ask('/org/local/secret', { name, type: 'opaque', data });
    };
    const full = [
      503,
      expect.objectContaining({
        code: 'storage_full',
        message: expect.stringContaining('disk of the platform is full'),
      }),
    ];
    try {
      expect(await secret('before')).toEqual([201, expect.anything()]);
      expect(await ask('/-health')).toEqual([200, { status: 'ok' }]);

      const ballast = join(disk, 'ballast');
      const fill = () => execFileSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=64k'], { stdio: 'ignore' });
      expect(fill).toThrow(); // it ends when the disk is full
      expect(await secret('refused')).toEqual(full);
      await expect.poll(() => ask('/-health')).toEqual(full);
      expect(await ask('/org/local/secret/before')).toEqual([200, expect.anything()]);

      rmSync(ballast);
      await expect.poll(() => ask('/-health')).toEqual([200, { status: 'ok' }]);
      expect(await ask('/org/local/secret/refused')).toEqual([404, expect.anything()]);
      expect(await secret('refused')).toEqual([201, expect.anything()]);
    } finally {
      await server.close();
      await postgres.stop();
    }
  } finally {
    execFileSync('umount', [disk]);
    rmSync(disk, { recursive: true });
  }
});
