import { vi } from 'vitest';
import { ReplayTransaction } from '../../src/server/store/postgres/overlay/replayTransaction.ts';
import { SqliteTransaction } from '../../src/server/store/sqlite/transaction.ts';

const reads = [SqliteTransaction, ReplayTransaction].flatMap(({ prototype }) => [
  vi.spyOn(prototype, 'referrers'),
  vi.spyOn(prototype, 'select'),
]);

/**
 * The most records that one read of the store gave during this work, on either store: what a turn of the server has to
 * do grows with it, and unlike a time it does not depend on what else the machine does.
 */
export async function mostRowsRead(work: () => Promise<unknown>): Promise<number> {
  for (const spy of reads) spy.mockClear();
  await work();
  const counts = reads.flatMap((spy) => spy.mock.results.map(({ value }) => (Array.isArray(value) ? value.length : 0)));
  return Math.max(0, ...counts);
}
