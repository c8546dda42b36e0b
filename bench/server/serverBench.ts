/**
 * `npm run bench:server [-- rounds] [--large] [--only SQLite|PostgreSQL]`: durable writes and reads a second of 1, 16
 * and 50 clients, lists of 1,000 and 10,000 records in pages of 1,000, pages of 50 out of 10,000 and 50,000, and
 * memory; of the platform on SQLite and on PostgreSQL, and of a lower bound that checks nothing (serverVariant.ts). All
 * in one run, alternating, each round on a new database; the ratios to the lower bound are the result. Then the longest
 * wait of a second client while the attacks of attacks.ts are answered, at 10,000 records, with `--large` at 50,000
 * too. With 0 rounds only that, with `--only` only on one of the stores.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../../test/server/postgres/startPostgres.ts';
import { median } from '../process.ts';
import { fill, fillAtOnce, listAll, MeasuredServer, makeGvc, pageOf50, requestsPerSecond } from './serverLoad.ts';
import { longestWaits } from './serverWaits.ts';

const { values: options, positionals } = parseArgs({
  options: { large: { type: 'boolean' }, only: { type: 'string' } },
  allowPositionals: true,
});
const rounds = Number(positionals[0] ?? '3');
const attacked = options.large === true ? [10_000, 50_000] : [10_000];
const crowds = [1, 16, 50] as const;
const lists = [1_000, 10_000] as const;
const pagedOf = [10_000, 50_000] as const;
const warmUpMs = 400;
const measuredMs = 1_500;
const listsOfOne = 5;
const pagesOfOne = 100;

const variants = ['floor', 'SQLite', 'PostgreSQL'] as const;
const stores = (['SQLite', 'PostgreSQL'] as const).filter((store) => (options.only ?? store) === store);
type Variant = (typeof variants)[number];

/** The measured values by name: a number for each round of each variant. */
const found = new Map<string, Map<Variant, number[]>>();

function note(what: string, variant: Variant, value: number): void {
  const ofWhat = found.get(what) ?? new Map<Variant, number[]>();
  found.set(what, ofWhat.set(variant, [...(ofWhat.get(variant) ?? []), value]));
}

const postgres = await startPostgres({ durable: true });
try {
  for (let round = 0; round < rounds; round += 1) for (const variant of variants) await measure(variant, round === 0);
  if (rounds > 0) print();
  for (const records of attacked) for (const variant of stores) await attack(variant, records);
} finally {
  await postgres.stop();
}

async function attack(variant: Variant, records: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-bench-server-'));
  try {
    console.log(
      `\n| ${variant}, ${records} records | longest wait of a second client, ms | answer after, ms | status |`,
    );
    console.log('| --- | ---: | ---: | ---: |');
    for await (const { what, longestMs, answeredMs, status } of longestWaits(placeOf(variant, folder), records)) {
      console.log(`| ${what} | ${longestMs.toFixed(0)} | ${answeredMs.toFixed(0)} | ${status} |`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function placeOf(variant: Variant, folder: string): string {
  return variant === 'PostgreSQL' ? postgres.freshUrl() : join(folder, 'bench.db');
}

/** `withLarge`: also pages out of many records, whose creation takes most of the time, so once is enough. */
async function measure(variant: Variant, withLarge: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-bench-server-'));
  const server = await MeasuredServer.start(variant === 'floor' ? 'floor' : 'gantry', placeOf(variant, folder));
  try {
    await server.using(16, async (send) => {
      await makeGvc(send);
      await fill(send, 0, 1_000);
    });
    for (const clients of crowds) {
      await server.using(clients, async (send) => {
        for (const what of ['write', 'read'] as const) {
          await requestsPerSecond(send, what, clients, warmUpMs);
          const before = await server.usage();
          const perSecond = await requestsPerSecond(send, what, clients, measuredMs);
          const { cpuMs } = await server.usage();
          note(`${what}s/s, ${clients} clients`, variant, perSecond);
          // Clients share the processors, which does not affect this value.
          const requests = (perSecond * measuredMs) / 1000;
          note(
            `CPU of the server, ${what} of ${clients} clients, us`,
            variant,
            ((cpuMs - before.cpuMs) / requests) * 1000,
          );
        }
      });
    }
    let filled = 1_000;
    for (const total of lists) {
      await server.using(16, (send) => fill(send, filled, total));
      filled = total;
      await server.using(1, async (send) => {
        await listAll(send);
        const [times, used]: [number[], number[]] = [[], []];
        for (let turn = 0; turn < listsOfOne; turn += 1) {
          const before = await server.usage();
          const { milliseconds, count } = await listAll(send);
          if (count !== total) throw new Error(`${variant} lists ${count} of ${total}`);
          times.push(milliseconds);
          used.push((await server.usage()).cpuMs - before.cpuMs);
        }
        note(`list of ${total}, ms`, variant, median(times));
        note(`CPU of the server, list of ${total}, ms`, variant, median(used));
      });
    }
    note('memory afterwards, MiB', variant, (await server.usage()).residentMiB);
    for (const total of withLarge ? pagedOf : []) {
      if (variant === 'floor') await server.using(16, (send) => fill(send, filled, total));
      else if (filled < total) await fillAtOnce(server.url, filled, total);
      filled = total;
      await server.using(1, async (send) => {
        const times: number[] = [];
        for (let turn = 0; turn < pagesOfOne; turn += 1) times.push(await pageOf50(send));
        note(`page of 50 out of ${total}, ms`, variant, median(times));
      });
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The ratio to the lower bound: for rates the part reached, for times and memory the multiple needed. */
function print(): void {
  console.log(`| medians of ${rounds} rounds | ${variants.join(' | ')} | SQLite to floor | PostgreSQL to floor |`);
  console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
  for (const [what, values] of found) {
    const [floor = Number.NaN, ...ours] = variants.map((variant) => median(values.get(variant) ?? []));
    const cells = [floor, ...ours].map((value) => value.toFixed(value < 100 ? 1 : 0));
    const ratios = ours.map((value) => `${(value / floor).toFixed(2)}x`);
    console.log(`| ${[what, ...cells, ...ratios].join(' | ')} |`);
  }
}
