/**
 * `node bench/serverWrites.ts [clients]`: durable PUTs of one-kilobyte records a second, of 64 clients at a time, by
 * the embedded platform, by bare `node:http` with one commit for each write, and by the same with group commit.
 * Rounds alternate, each on a new file; the bare servers check nothing, so they are the limit.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { startServer } from '../src/server/start.ts';
import { GroupCommit } from '../src/server/store/groupCommit.ts';
import { benchResources } from './resources.ts';
import { median } from './process.ts';

const variants = ['gantry', 'commit each', 'group commit'] as const;
const rounds = 3;
const warmUpMs = 500;
const measuredMs = 2000;

const [role = '', folder = ''] = process.argv.slice(2);
if (process.send !== undefined) await serve(role, join(folder, 'bench.db'));
else await compare(Number(role || '64'));

async function serve(variant: string, file: string): Promise<void> {
  process.on('disconnect', () => process.exit(0));
  if (variant === 'gantry') {
    const { url } = await startServer({ port: 0, data: file, token: 'bench', org: 'local' });
    process.send?.({ url });
    return;
  }
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE records (name TEXT PRIMARY KEY, record TEXT NOT NULL)');
  const upsert = database.prepare('INSERT OR REPLACE INTO records VALUES (?, ?)');
  const group = new GroupCommit(database);
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', async () => {
      const text = Buffer.concat(chunks).toString();
      const write = () => upsert.run(incoming.url ?? '', text);
      if (variant === 'commit each') write();
      else await group.run(write);
      outgoing.end(text);
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.({ url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` });
  });
}

async function compare(clients: number): Promise<void> {
  const rates = new Map<string, number[]>(variants.map((variant) => [variant, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const variant of variants) rates.get(variant)?.push(await writesPerSecond(variant, clients));
  }
  const rate = (variant: (typeof variants)[number]) => Math.round(median(rates.get(variant) ?? []));
  console.log(`| durable writes, ${clients} clients | writes/s (median) | gantry against it |\n| --- | ---: | ---: |`);
  for (const variant of variants) {
    console.log(`| ${variant} | ${rate(variant)} | ${(rate('gantry') / rate(variant)).toFixed(2)}x |`);
  }
}

async function writesPerSecond(variant: string, clients: number): Promise<number> {
  const data = mkdtempSync(join(tmpdir(), 'gantry-bench-writes-'));
  const child = fork(fileURLToPath(import.meta.url), [variant, data]);
  const url = await new Promise<string>((resolve) => child.once('message', (message) => resolve(Object(message).url)));
  const pool = new Pool(url, { connections: clients, pipelining: 1 });
  try {
    await put(pool, '/org/local/gvc/bench', { name: 'bench' });
    await writeFor(pool, clients, warmUpMs);
    return await writeFor(pool, clients, measuredMs);
  } finally {
    await pool.close();
    await ended(child);
    rmSync(data, { recursive: true, force: true });
  }
}

/** Answered writes a second. Every write changes its record. */
async function writeFor(pool: Pool, clients: number, milliseconds: number): Promise<number> {
  const [group] = benchResources(100, false);
  const spec = group?.workloads[0]?.spec;
  const started = performance.now();
  let writes = 0;
  async function client(index: number): Promise<void> {
    for (let turn = 0; performance.now() - started < milliseconds; turn += 1) {
      const name = `app-${index}-${turn % 10}`;
      await put(pool, `/org/local/gvc/bench/workload/${name}`, { name, description: `${started} ${turn}`, spec });
      writes += 1;
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
  return writes / ((performance.now() - started) / 1000);
}

async function put(pool: Pool, path: string, body: unknown): Promise<void> {
  const { statusCode, body: answer } = await pool.request({
    method: 'PUT',
    path,
    headers: { authorization: 'Bearer bench', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (statusCode >= 300) throw new Error(`${path}: ${statusCode} ${text}`);
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.disconnect();
  });
}
