import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database, NewEntry, Transaction } from '../../../src/server/store/model/row.ts';
import { openSqlite } from '../../../src/server/store/sqlite/open.ts';

const mib = 2 ** 20;
let folder: string;
let database: Database;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-log-'));
  database = openSqlite(join(folder, 'a.db'), Date.now);
});

afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

function sizeOf(name: string): number {
  return statSync(join(folder, name)).size;
}

let entries = 0;

function entry(size: number): NewEntry {
  entries += 1;
  const [kind, name, context, subject] = ['workload', 'a', '', ''];
  const body = { text: 'x'.repeat(size) };
  return { journal: 'audit', id: `e${entries}`, owner: '', kind, name, subject, context, atMs: entries, body };
}

test('a commit that fills the log lets a thread copy the log', async () => {
  const asked = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(() => {});
  await database.of('local').write((tx) => tx.addEntry(entry(24 * mib)));
  expect(sizeOf('a.db')).toBeLessThan(mib);
  const [thread] = asked.mock.contexts;
  const [message] = asked.mock.lastCall ?? [];
  asked.mockRestore();
  if (thread instanceof Worker) thread.postMessage(message);
  await expect.poll(() => sizeOf('a.db')).toBeGreaterThan(24 * mib);
});

test('a copied log is reused while writes continue', async () => {
  const store = database.of('local');
  const many = (tx: Transaction) => Array.from({ length: 20 }, () => tx.addEntry(entry(20_000)));
  const startedAt = entries;
  while (entries - startedAt < 10_000) {
    await Promise.all([store.write(many), store.write(many)]);
    // On a busy machine the thread falls behind. Smaller writes let it follow, as its delay is not under test.
    while (20_000 * (entries - startedAt) - sizeOf('a.db') > 48 * mib)
      await store.write((tx) => tx.addEntry(entry(20_000)));
  }
  await expect.poll(() => sizeOf('a.db')).toBeGreaterThan(150 * mib);
  expect(sizeOf('a.db-wal')).toBeLessThan(128 * mib);
});
