/**
 * The memory of a worker over a day: passes of STACKS stacks at an interval of ten minutes, as fast as possible. The
 * clock of the store is virtual: it is used for intervals, retention and back-off. Leases and pg-boss have real time.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entryOf, openTown } from '../../test/reconcile/town.ts';
import { startPostgres } from '../../test/server/postgres/startPostgres.ts';
import { startPlatform } from '../platformProcess.ts';
import { nameOf, writeStack } from './fleet.ts';

const [stacks = 5, passes = 36] = process.argv.slice(2).map(Number);
const intervalMs = 600_000;
const folder = mkdtempSync(join(tmpdir(), 'gantry-bench-day-'));
const postgres = await startPostgres();
const platform = await startPlatform(0);
const town = await openTown(platform.url, { kind: 'postgres', url: postgres.freshUrl() });
town.entries = Array.from({ length: stacks }, (_, index) => {
  const path = join(folder, nameOf(index));
  writeStack(path, nameOf(index));
  return entryOf(path, { name: nameOf(index), intervalMs });
});
const worker = town.worker({ options: { endpoint: platform.url, token: 'bench', embedded: false } });
await worker.start();
const running = worker.run();
console.log(`| hours of the store | runs | heap MiB | resident MiB |\n| ---: | ---: | ---: | ---: |`);
for (let pass = 0; pass <= passes; pass += 1) {
  const fromMs = town.store.now();
  while (!(await isDone(fromMs))) await new Promise((resolve) => setTimeout(resolve, 20));
  if (pass === 1 || (pass > 0 && pass % Math.max(1, Math.floor(passes / 6)) === 0)) print(pass);
  town.pass(intervalMs);
}
worker.stop();
await running;
await town[Symbol.asyncDispose]();
await platform.stop();
await postgres.stop();
rmSync(folder, { recursive: true, force: true });

async function isDone(fromMs: number): Promise<boolean> {
  const all = [...(await town.store.stacks()).values()];
  return (
    all.length === stacks &&
    all.every(({ state: { state, lastRunMs = 0 } }) => state === 'in line' && lastRunMs >= fromMs)
  );
}

function print(pass: number): void {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const mebibytes = (bytes: number) => Math.round(bytes / 2 ** 20);
  const hours = ((pass * intervalMs) / 3_600_000).toFixed(1);
  console.log(`| ${hours} | ${(pass + 1) * stacks} | ${mebibytes(heapUsed)} | ${mebibytes(rss)} |`);
}
