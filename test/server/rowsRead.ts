import { vi } from 'vitest';
import { ReplayTransaction } from '../../src/server/store/postgres/transaction.ts';
import { SqliteTransaction } from '../../src/server/store/sqlite/transaction.ts';

/**
 * The most records that one read of either store returned during this work. It shows how long a turn of the server can
 * take, and unlike a time it does not depend on the load of the machine.
 */
export async function mostRowsRead(work: () => Promise<unknown>): Promise<number> {
  // The spies are set here, because spies at the top level are restored after the first file that imports the module.
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
