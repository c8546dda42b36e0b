import { vi } from 'vitest';
import { ReplayTransaction } from '../../src/server/store/postgres/transaction.ts';
import { SqliteTransaction } from '../../src/server/store/sqlite/transaction.ts';

/**
 * The most records that one read of the store gave during this work, on either store: what a turn of the server has to
 * do grows with it, and unlike a time it does not depend on what else the machine does.
 */
export async function mostRowsRead(work: () => Promise<unknown>): Promise<number> {
  // For this work only: what a module spies on at its top level is restored after the first file that imports it.
  const reads = [SqliteTransaction, ReplayTransaction].flatMap(({ prototype }) => [
    vi.spyOn(prototype, 'referrers'),
    vi.spyOn(prototype, 'select'),
  ]);
  try {
    await work();
    const counts = reads.flatMap(({ mock }) =>
      mock.results.map(({ value }) => (Array.isArray(value) ? value.length : 0)),
    );
    return Math.max(0, ...counts);
  } finally {
    for (const spy of reads) spy.mockRestore();
  }
}
