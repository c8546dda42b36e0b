import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '../../test/server/postgres/startPostgres.ts';
import { type PlatformProcess, startPlatform } from '../platformProcess.ts';

const cli = new URL('../../dist/cli.js', import.meta.url).pathname;
export const resourcesOfStack = 50;

/** Stacks of 50 resources each in folders, a platform, a database, and the command line as processes. */
export interface Fleet extends AsyncDisposable {
  readonly folder: string;
  readonly platform: PlatformProcess;
  /** Sets the text of `reconcile.yaml`. */
  configure(text: string): void;
  start(args?: readonly string[]): Worker;
  /** Runs `gantry`; rejects if it fails. */
  run(args: readonly string[]): Promise<void>;
  /** Makes all stacks due now. Resolves when each of them has run. */
  pass(stacks: number): Promise<number>;
  /** Resolves when this number is in line, with the seconds that it took. */
  settled(stacks: number): Promise<number>;
  /** The image of a stack's last workload on the platform. */
  image(stack: string): Promise<string>;
}

export interface Worker {
  readonly child: ChildProcess;
  readonly ready: Promise<{ readonly url?: string }>;
  peakMiB(): number;
  stop(): Promise<void>;
}

export async function openFleet(stacks: number, latencyMs: number): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-bench-fleet-'));
  const postgres = await startPostgres();
  const platform = await startPlatform(latencyMs);
  for (let index = 0; index < stacks; index += 1) writeStack(join(folder, nameOf(index)), nameOf(index));
  const pool = new pg.Pool({ connectionString: postgres.url, max: 1 });
  const url = postgres.freshUrl();
  const schema = new URL(url).searchParams.get('schema') ?? '';
  const env = () => ({
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    NO_COLOR: '1',
    GANTRY_ENDPOINT: platform.url,
    GANTRY_TOKEN: 'bench',
    GANTRY_ORG: 'local',
    GANTRY_RECONCILE_STORE: url,
    WEBHOOK_SECRET: 'bench',
  });
  const poll = async (condition: string, count: number, values: readonly number[] = []): Promise<number> => {
    const startedMs = performance.now();
    for (;;) {
      const asked = `SELECT count(*)::integer AS count FROM ${schema}.stacks WHERE ${condition}`;
      const { rows } = await pool.query(asked, [...values]).catch(() => ({ rows: [{ count: -1 }] })); // no tables yet
      if (rows[0].count === count) return (performance.now() - startedMs) / 1_000;
      await sleep(50);
    }
  };
  return {
    folder,
    platform,
    configure: (text) => writeFileSync(join(folder, 'reconcile.yaml'), text),
    start: (args = []) => startWorker(['reconcile', 'run', '-o', 'json', ...args], folder, env()),
    async run(args) {
      const child = spawn(process.execPath, [cli, ...args], { cwd: folder, env: env(), stdio: 'ignore' });
      const code = await new Promise((resolve) => child.once('close', resolve));
      if (code !== 0) throw new Error(`gantry ${args.join(' ')} ended with ${code}`);
    },
    async pass(count) {
      const { rows } = await pool.query(`SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms`);
      await pool.query(`UPDATE ${schema}.stacks SET next_ms = $1`, [rows[0].ms]);
      await pool.query(`SELECT pg_notify('${schema}', '')`);
      return poll(`(state ->> 'lastRunMs')::bigint > $1 AND state ->> 'state' = 'in line'`, count, [
        Number(rows[0].ms),
      ]);
    },
    settled: (count) => poll(`state ->> 'state' = 'in line'`, count),
    async image(stack) {
      const path = `/org/local/gvc/${stack}/workload/app-${resourcesOfStack - 2}`;
      const answer = await fetch(`${platform.url}${path}`, { headers: { authorization: 'Bearer bench' } });
      const found = /"image":"([^"]*)"/.exec(await answer.text());
      return found?.[1] ?? '';
    },
    async [Symbol.asyncDispose]() {
      await pool.end();
      await platform.stop();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function nameOf(index: number): string {
  return `stack-${index}`;
}

/** A GVC with 49 workloads, in one file. */
export function writeStack(folder: string, name: string, tag = 'v1'): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'gantry.yaml'), `stack: ${name}\norg: local\ngvc: ${name}\n`);
  const workloads = Array.from({ length: resourcesOfStack - 1 }, (_, index) => ({
    kind: 'workload',
    name: `app-${index}`,
    spec: {
      type: 'standard',
      containers: [{ name: 'main', image: `registry.example.com/app-${index}:${tag}`, cpu: '50m', memory: '128Mi' }],
    },
  }));
  const gvc = { kind: 'gvc', name, spec: { staticPlacement: { locationLinks: ['//location/aws-us-west-2'] } } };
  const documents = [gvc, ...workloads].map((each) => JSON.stringify(each));
  writeFileSync(join(folder, 'all.yaml'), `${documents.join('\n---\n')}\n`);
}

function startWorker(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Worker {
  const child = spawn(process.execPath, [cli, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { text: '', errors: '' };
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.errors = (said.errors + text).slice(-4_000);
  });
  const ready = new Promise<{ readonly url?: string }>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said.text += text;
      try {
        resolve(JSON.parse(said.text));
      } catch {
        // incomplete line
      }
    });
    child.once('close', () => reject(new Error(`the worker ended: ${said.errors}`)));
  });
  ready.catch(() => {}); // callers that await it get the error
  return {
    child,
    ready,
    peakMiB: () => Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
