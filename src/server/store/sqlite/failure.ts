import { storageAway, storageDamaged, storageFull } from '../storageFailure.ts';

/** Result codes of SQLite without what they say in detail: the lowest byte. */
const full = 13;
const damaged: ReadonlySet<number> = new Set([11, 26]); // CORRUPT, NOTADB
const away: ReadonlySet<number> = new Set([5, 6, 8, 10, 14]); // BUSY, LOCKED, READONLY, IOERR, CANTOPEN

/** What a request is told: 503 where the database itself fails, else the error as it is. */
export function sqliteFailure(error: unknown): unknown {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return error;
  const code = error.errcode & 0xff;
  if (code === full) return storageFull();
  if (damaged.has(code)) return storageDamaged(error.message);
  return away.has(code) ? storageAway(error.message) : error;
}
