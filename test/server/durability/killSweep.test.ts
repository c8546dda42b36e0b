import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as passes } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { seeded } from '../../../src/base/seeded.ts';
import { lawFigures } from '../../laws/figures.ts';
import { expectAgreement } from './agreement.ts';
import { ask, type ServerProcess, startProcess } from './servers.ts';
import { held, type Send, Told, writeOn } from './told.ts';

/** `npm run sweep` kills 200 times. `GANTRY_SWEEP` sets another number, `GANTRY_SWEEP_SEED` another seed. */
const kills = Number(process.env['GANTRY_SWEEP'] ?? '6');
const seed = process.env['GANTRY_SWEEP_SEED'] ?? '7';
const killsOfOneDatabase = 10;
const clients = 8;
const longestLifeMs = 250;
/** One of so many starts is killed before the server is ready. */
const killedStarts = 6;

/** Starts a server, sometimes after starts that were killed early. */
async function startAtLast(options: Parameters<typeof startProcess>[0], next: () => number): Promise<ServerProcess> {
  while (next() < 1 / killedStarts) {
    const early = startProcess(options);
    await passes(next() * 600);
    await early.kill();
  }
  return startProcess(options);
}

function askingOnce(url: string, told: Told): Send {
  return async (...request) => {
    try {
      return await ask(url, ...request);
    } catch (error) {
      told.unanswered += 1;
      throw error;
    }
  };
}

const databases = Array.from({ length: Math.ceil(kills / killsOfOneDatabase) }, (_, number) => ({
  number,
  kills: Math.min(killsOfOneDatabase, kills - number * killsOfOneDatabase),
}));

test.each(databases)(
  'killed $kills times at random moments under writes, SQLite keeps law 9 (database $number)',
  { timeout: 300_000 },
  async ({ number, kills: times }) => {
    const folder = mkdtempSync(join(tmpdir(), 'gantry-sweep-'));
    const options = { data: join(folder, 'platform.db'), deletionDelayMs: 0 };
    const next = seeded(`${seed}/${number}`);
    const told = new Told();
    let server = await startAtLast(options, next);
    try {
      expect((await ask(await server.url, 'POST', 'gvc', { name: 'shop' })).status).toBe(201);
      // On a busy machine a server may answer no write before it is killed; then each next one lives longer.
      for (let round = 0; round < times || (told.created.size === 0 && round < 5 * times); round += 1) {
        const url = await server.url;
        const written = Promise.allSettled(
          Array.from({ length: clients }, (_, client) => writeOn(askingOnce(url, told), told, `c${client}r${round}`)),
        );
        await passes(next() * longestLifeMs * (told.created.size === 0 ? 1 + round : 1));
        await server.kill();
        await written;
        server = await startAtLast(options, next);
        expectAgreement(told, await held(await server.url));
      }
      expect(told.created.size).toBeGreaterThan(0);
      lawFigures({ kills: times });
    } finally {
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
