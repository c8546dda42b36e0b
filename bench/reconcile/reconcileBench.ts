/**
 * `npm run bench:reconcile [-- --full --stacks 100 --only fleet]`: the throughput of workers of `gantry reconcile` on
 * PostgreSQL, compared with a loop of `gantry apply`: stacks of 50 resources at 20 ms of latency. It needs `npm run
 * build`. Quick: 30 stacks, 1 and 2 workers.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { median } from '../process.ts';
import { type Fleet, nameOf, openFleet, resourcesOfStack, type Worker, writeStack } from './fleet.ts';

const { values } = parseArgs({
  options: { full: { type: 'boolean', default: false }, only: { type: 'string' }, stacks: { type: 'string' } },
});
const latencyMs = 20;
const rounds = 3;
const sizes = values.stacks !== undefined ? [Number(values.stacks)] : values.full ? [100, 1_000] : [30];
const workerCounts = values.full ? [1, 2, 3] : [1, 2];
const parts = { fleet: measureFleet, push: measurePush, memory: measureMemory } as const;
for (const [name, part] of Object.entries(parts)) if ((values.only ?? name) === name) await part();

async function measureFleet(): Promise<void> {
  console.log(
    `\nStacks of ${resourcesOfStack} resources, ${latencyMs} ms of latency, median of ${rounds} passes (one where there are more than 100).\n`,
  );
  row('stacks', 'what', 'first apply, stacks/min', 'nothing to do, stacks/min', 'requests/stack', 'peak MiB');
  row('---:', '---', '---:', '---:', '---:', '---:');
  for (const stacks of sizes) {
    if (stacks > 100) {
      await measureLarge(stacks);
      continue;
    }
    for (const workers of workerCounts) await measureWorkers(stacks, workers, []);
    await measureWorkers(stacks, 1, ['--parallelism', '1']);
    await measureLoop(stacks);
  }
}

/** `--parallelism 1`: no two stacks are processed together, so nothing is shared. */
async function measureWorkers(stacks: number, count: number, args: readonly string[]): Promise<void> {
  await using fleet = await openStacks(stacks);
  const workers = started(fleet, count, args);
  try {
    const first = await settledBy(fleet, stacks, workers);
    printRates(stacks, whatOf(count, args), first, await passesOf(fleet, stacks, rounds), peakOf(workers));
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}

/** One platform for all counts of workers, one pass each: the first apply takes minutes even with the maximum. */
async function measureLarge(stacks: number): Promise<void> {
  await using fleet = await openStacks(stacks);
  const workers = started(fleet, Math.max(...workerCounts));
  try {
    let first: number | undefined = await settledBy(fleet, stacks, workers);
    for (const count of [...workerCounts].reverse()) {
      await Promise.all(workers.splice(count).map((worker) => worker.stop()));
      printRates(stacks, whatOf(count, []), first, await passesOf(fleet, stacks, 1), peakOf(workers));
      first = undefined;
    }
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    const alone = ['--parallelism', '1'];
    workers.push(...started(fleet, 1, alone));
    await Promise.all(workers.map(({ ready }) => ready));
    printRates(stacks, whatOf(1, alone), undefined, await passesOf(fleet, stacks, 1), peakOf(workers));
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}

async function openStacks(stacks: number): Promise<Fleet> {
  const fleet = await openFleet(stacks, latencyMs);
  const lines = Array.from({ length: stacks }, (_, index) => `  ${nameOf(index)}: { folder: ${nameOf(index)} }`);
  // Longer than the benchmark, so that a stack only runs on request.
  fleet.configure(`defaults: { mode: auto, interval: 23h }\nstacks:\n${lines.join('\n')}\n`);
  return fleet;
}

/** The seconds until all stacks are in line. */
async function settledBy(fleet: Fleet, stacks: number, workers: readonly Worker[]): Promise<number> {
  const settled = fleet.settled(stacks);
  await Promise.all(workers.map(({ ready }) => ready));
  return settled;
}

function started(fleet: Fleet, count: number, args: readonly string[] = []): Worker[] {
  return Array.from({ length: count }, () => fleet.start(args));
}

interface Pass {
  readonly seconds: number;
  readonly requests: number;
}

async function passesOf(fleet: Fleet, stacks: number, count: number): Promise<readonly Pass[]> {
  const passes: Pass[] = [];
  for (let round = 0; round < count; round += 1) {
    const before = await fleet.platform.requests();
    const seconds = await fleet.pass(stacks);
    passes.push({ seconds, requests: (await fleet.platform.requests()) - before });
  }
  return passes;
}

function whatOf(count: number, args: readonly string[]): string {
  return `${count} ${count === 1 ? 'worker' : 'workers'}${args.length === 0 ? '' : `, ${args.join(' ')}`}`;
}

function peakOf(workers: readonly Worker[]): number {
  return Math.max(...workers.map((worker) => worker.peakMiB()));
}

/** The equivalent script without a reconciler. */
async function measureLoop(stacks: number): Promise<void> {
  await using fleet = await openFleet(stacks, latencyMs);
  const loop = async () => {
    const [startedMs, before] = [performance.now(), await fleet.platform.requests()];
    for (let index = 0; index < stacks; index += 1) await fleet.run(['apply', nameOf(index), '--yes']);
    const requests = (await fleet.platform.requests()) - before;
    return { seconds: (performance.now() - startedMs) / 1_000, requests };
  };
  const first = await loop();
  printRates(stacks, 'a loop of `gantry apply`', first.seconds, [await loop()], undefined);
}

function printRates(
  stacks: number,
  what: string,
  firstSeconds: number | undefined,
  passes: readonly Pass[],
  peakMiB: number | undefined,
): void {
  const perMinute = (seconds: number) => Math.round((60 * stacks) / seconds);
  const seconds = median(passes.map((pass) => pass.seconds));
  const requests = median(passes.map((pass) => pass.requests)) / stacks;
  const peak = peakMiB === undefined ? '' : Math.round(peakMiB);
  const first = firstSeconds === undefined ? '' : perMinute(firstSeconds);
  row(stacks, what, first, perMinute(seconds), requests.toFixed(1), peak);
}

/** The time from the end of a push until the platform has the pushed state, with a webhook. */
async function measurePush(): Promise<void> {
  await using fleet = await openFleet(0, latencyMs);
  const repository = join(fleet.folder, 'repository');
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', repository, '-c', 'user.name=bench', '-c', 'user.email=bench@example.com', ...args]);
  const commit = (tag: string) => {
    writeStack(repository, 'pushed', tag);
    git('add', '.');
    git('commit', '-qm', tag);
  };
  writeStack(repository, 'pushed');
  execFileSync('git', ['init', '-qb', 'main', repository]);
  commit('v0');
  fleet.configure(`webhooks: { standard: { env: WEBHOOK_SECRET } }
stacks: { pushed: { git: { url: ${repository}, branch: main }, mode: auto, interval: 23h } }
`);
  const worker = fleet.start(['--http', '0']);
  try {
    const { url = '' } = await worker.ready;
    await fleet.settled(1);
    const seconds: number[] = [];
    for (let push = 1; push <= 5; push += 1) {
      commit(`v${push}`);
      const startedMs = performance.now();
      await tell(url, repository);
      while (!(await fleet.image('pushed')).endsWith(`:v${push}`)) await sleep(20);
      seconds.push((performance.now() - startedMs) / 1_000);
      await fleet.settled(1);
    }
    const [least, most] = [Math.min(...seconds), Math.max(...seconds)];
    console.log(
      `\nFrom a push to its last write (a webhook, ${resourcesOfStack - 1} changes): ${median(seconds).toFixed(2)} s (${least.toFixed(2)} to ${most.toFixed(2)}).`,
    );
  } finally {
    await worker.stop();
  }
}

async function tell(url: string, repository: string): Promise<void> {
  const body = JSON.stringify({ type: 'push', data: { url: repository, ref: 'refs/heads/main' } });
  const [id, timestamp] = [randomUUID(), String(Math.floor(Date.now() / 1_000))];
  const mac = createHmac('sha256', 'bench').update(`${id}.${timestamp}.${body}`).digest('base64');
  const answer = await fetch(`${url.replace(/\/$/, '')}/-hooks`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...{ 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` },
    },
    body,
  });
  if (answer.status !== 202) throw new Error(`the webhook was answered with ${answer.status}`);
}

/** A day of passes at an interval of ten minutes, in a separate process (`day.ts`). */
async function measureMemory(): Promise<void> {
  const script = new URL('./day.ts', import.meta.url).pathname;
  const args = ['--expose-gc', script, values.full ? '20' : '5', values.full ? '144' : '36'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  console.log('');
  for await (const line of createInterface({ input: child.stdout })) console.log(line);
}

function row(...cells: readonly (string | number)[]): void {
  console.log(`| ${cells.join(' | ')} |`);
}
