/**
 * `npm run bench [-- N...]`: plan and apply of N resources, at 0 and 20 ms a request, beside a floor that does only
 * the unavoidable work and, where it is installed, Terraform's core. Runs alternate, so that a noisy machine hits
 * all alike; the ratios are what counts.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Measured, measureNode, median } from './process.ts';
import { measureTerraform } from './terraform.ts';

const cli = new URL('../dist/cli.js', import.meta.url).pathname;
const stack = new URL('./stack.ts', import.meta.url).pathname;
const floor = new URL('./floor.ts', import.meta.url).pathname;
const planner = new URL('./planner.ts', import.meta.url).pathname;
const rounds = 3;
const concurrency = 64;
const sizes = process.argv.slice(2).map(Number);

interface Server {
  readonly url: string;
  requests(): Promise<number>;
  stop(): Promise<void>;
}

function nextMessage(child: ChildProcess): Promise<Record<string, unknown>> {
  return new Promise((resolve) => child.once('message', (message) => resolve({ ...Object(message) })));
}

async function startServerProcess(latencyMs: number): Promise<Server> {
  const child = fork(new URL('./server.ts', import.meta.url).pathname, [String(latencyMs)]);
  const { url } = await nextMessage(child);
  return {
    url: String(url),
    async requests() {
      child.send('count');
      return Number((await nextMessage(child))['requests']);
    },
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.disconnect();
      }),
  };
}

function expectZero(measured: Measured, what: string): Measured {
  if (measured.code !== 0)
    throw new Error(`${what} ended with ${measured.code}:\n${measured.stdout}${measured.stderr}`);
  return measured;
}

function row(cells: readonly (string | number)[]): void {
  console.log(`| ${cells.join(' | ')} |`);
}

const seconds = (value: number) => value.toFixed(3);
const ratio = (value: number, base: number) => `${(value / base).toFixed(2)}x`;

async function benchSize(total: number, latencyMs: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-bench-'));
  const server = await startServerProcess(latencyMs);
  const environment = {
    GANTRY_ENDPOINT: server.url,
    GANTRY_TOKEN: 'bench',
    GANTRY_ORG: 'local',
    BENCH_URL: server.url,
    BENCH_TOKEN: 'bench',
    BENCH_N: String(total),
  };
  async function gantry(what: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) {
    const before = await server.requests();
    const measured = await measureNode([cli, ...args, '--stack', 'bench'], { ...environment, ...more }, folder);
    return { ...expectZero(measured, what), requests: (await server.requests()) - before };
  }
  try {
    const apply = await gantry('apply', ['apply', stack, '--yes']);
    const noop: Measured[] = [];
    const floors: Measured[] = [];
    const changed: Measured[] = [];
    let noopRequests = 0;
    let changedRequests = 0;
    for (let round = 0; round < rounds; round += 1) {
      const measuredFloor = expectZero(await measureNode([floor], environment, folder), 'floor');
      if (Number(measuredFloor.stdout) !== total) {
        throw new Error(`the floor compared ${measuredFloor.stdout} of ${total}`);
      }
      floors.push(measuredFloor);
      const plan = await gantry('plan', ['plan', stack]);
      noop.push(plan);
      noopRequests = plan.requests;
      const other = await gantry('plan of changes', ['plan', stack], { BENCH_CHANGED: '1' });
      changed.push(other);
      changedRequests = other.requests;
    }
    const floorWall = median(floors.map((run) => run.wallSeconds));
    const noopWall = median(noop.map((run) => run.wallSeconds));
    const changedWall = median(changed.map((run) => run.wallSeconds));
    const peak = (runs: readonly Measured[]) => Math.round(median(runs.map((run) => run.peakMiB ?? 0)));
    const ideal = Math.max(3, total / concurrency) * (latencyMs / 1000);
    row([total, latencyMs, 'floor', '', seconds(floorWall), peak(floors), '1.00x']);
    row([
      total,
      latencyMs,
      'plan, nothing to do',
      noopRequests,
      seconds(noopWall),
      peak(noop),
      ratio(noopWall, floorWall),
    ]);
    row([
      total,
      latencyMs,
      'plan, 10 % changed',
      changedRequests,
      seconds(changedWall),
      peak(changed),
      ratio(changedWall, floorWall),
    ]);
    row([
      total,
      latencyMs,
      'apply, create all',
      apply.requests,
      seconds(apply.wallSeconds),
      Math.round(apply.peakMiB ?? 0),
      ideal > 0 ? `${ratio(apply.wallSeconds, ideal)} of requests x round trip` : ratio(apply.wallSeconds, floorWall),
    ]);
    if (latencyMs === 0 && total <= 1000) {
      const terraform = await measureTerraform(total);
      if (terraform === undefined) {
        row([total, latencyMs, 'terraform', '', 'not on this machine', '', '']);
      } else {
        row([
          total,
          latencyMs,
          'terraform no-op plan',
          0,
          seconds(terraform.noop.wallSeconds),
          '',
          `ours is ${ratio(terraform.noop.wallSeconds, noopWall)} faster`,
        ]);
        row([
          total,
          latencyMs,
          'terraform apply',
          0,
          seconds(terraform.apply.wallSeconds),
          '',
          `ours is ${ratio(terraform.apply.wallSeconds, apply.wallSeconds)} faster`,
        ]);
      }
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

row(['resources', 'latency ms', 'what', 'requests', 'wall s (median)', 'peak MiB', 'ratio to the floor']);
row(['---', '---', '---', '---', '---', '---', '---']);
for (const total of sizes.length > 0 ? sizes : [100, 1000, 10_000]) {
  for (const latencyMs of [0, 20]) await benchSize(total, latencyMs);
  const run = expectZero(await measureNode([planner], { BENCH_N: String(total) }, tmpdir()), 'planner');
  const figures = JSON.parse(run.stdout);
  row([
    total,
    '',
    `pure planner, ${figures.changes} changed`,
    0,
    seconds(figures.seconds),
    Math.round(run.peakMiB ?? 0),
    '',
  ]);
}
