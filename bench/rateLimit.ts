/**
 * `npm run bench:rate-limit [-- N...]`: the client's throughput with a rate limit of N requests a second, and the
 * number of its refusals, with its adaptive limit and with a fixed 64; then both without a limit, where nothing may be
 * lost.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type Client, makeClient } from '../src/client/client.ts';
import { median } from './process.ts';

const token = 'bench-token';
const cli = new URL('../dist/cli.js', import.meta.url).pathname;
const given = process.argv.slice(2).map(Number);
const limits = given.length > 0 ? given : [50, 200, 1000];
/** The duration of each measurement. */
const seconds = 6;
const modes = ['adaptive', 'fixed 64'] as const;
type Mode = (typeof modes)[number];

interface Outcome {
  readonly requests: number;
  readonly seconds: number;
  readonly refused: number;
  readonly failed: number;
}

console.log('| limit/s | latency ms | client | requests | s | 429 | failed | reached |');
console.log('| ---: | ---: | --- | ---: | ---: | ---: | ---: | --- |');
for (const limit of limits) {
  for (const latencyMs of [0, 20]) {
    for (const mode of modes) {
      // The platform allows a burst of twice the limit, which is not measured.
      const burst = 2 * limit;
      const outcome = await against(['--rate-limit', String(limit)], latencyMs, (url) =>
        read(url, mode, burst + limit * seconds),
      );
      const reached = (outcome.requests - outcome.failed - burst) / (outcome.seconds * limit);
      print(limit, latencyMs, mode, outcome, `${(100 * reached).toFixed(0)} % of the limit`);
    }
  }
}
for (const latencyMs of [0, 20]) {
  const runs = new Map<Mode, Outcome[]>(modes.map((mode) => [mode, []]));
  await against([], latencyMs, async (url) => {
    for (let round = 0; round < 5; round += 1) {
      for (const [mode, outcomes] of runs) outcomes.push(await read(url, mode, 5_000));
    }
  });
  const typical = [...runs].map(([mode, outcomes]) => ({ mode, outcome: middle(outcomes) }));
  const fixed = typical.at(-1)?.outcome.seconds ?? Number.NaN;
  for (const { mode, outcome } of typical) {
    print('none', latencyMs, mode, outcome, `${(fixed / outcome.seconds).toFixed(2)}x of fixed 64`);
  }
}

/** A real `gantry serve` during `work`. */
async function against<T>(flags: readonly string[], latencyMs: number, work: (url: string) => Promise<T>): Promise<T> {
  const args = [
    'serve',
    '--port',
    '0',
    '--data',
    ':memory:',
    '--token',
    token,
    '--latency',
    `${latencyMs}ms`,
    ...flags,
  ];
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    const url = await new Promise<string>((resolve) => {
      createInterface({ input: child.stdout }).once('line', resolve);
    });
    return await work(url);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** This number of reads, all requested concurrently. */
async function read(endpoint: string, mode: Mode, requests: number): Promise<Outcome> {
  let refused = 0;
  const client: Client = makeClient({
    endpoint,
    token,
    org: 'local',
    fixedConcurrency: mode === 'fixed 64',
    onRetry: () => {
      refused += 1;
    },
  });
  const since = performance.now();
  const outcomes = await Promise.allSettled(
    Array.from({ length: requests }, () => client.get('/org/local/location/aws-us-west-2')),
  );
  const elapsed = (performance.now() - since) / 1000;
  await client.close();
  const failed = outcomes.filter(({ status }) => status === 'rejected').length;
  return { requests, seconds: elapsed, refused, failed };
}

function middle(outcomes: readonly Outcome[]): Outcome {
  const [first] = outcomes;
  if (first === undefined) throw new Error('nothing was measured');
  return { ...first, seconds: median(outcomes.map((outcome) => outcome.seconds)) };
}

function print(limit: number | string, latencyMs: number, mode: Mode, outcome: Outcome, reached: string): void {
  const { requests, seconds: elapsed, refused, failed } = outcome;
  console.log(
    `| ${limit} | ${latencyMs} | ${mode} | ${requests} | ${elapsed.toFixed(2)} | ${refused} | ${failed} | ${reached} |`,
  );
}
