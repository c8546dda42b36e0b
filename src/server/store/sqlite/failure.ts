import { storageDamaged, storageFull, storageUnavailable } from '../model/storageFailure.ts';

/** Primary result codes of SQLite, the lowest byte of extended ones. */
const full = 13;
const damaged: ReadonlySet<number> = new Set([11, 26]); // CORRUPT, NOTADB
const away: ReadonlySet<number> = new Set([5, 6, 8, 10, 14]); // BUSY, LOCKED, READONLY, IOERR, CANTOPEN

/** The error for a request: 503 if the database itself fails, otherwise the original error. */
export function sqliteFailure(error: unknown): unknown {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return error;
  const code = error.errcode & 0xff;
  if (code === full) return storageFull();
  if (damaged.has(code)) return storageDamaged(error.message);
  return away.has(code) ? storageUnavailable(error.message) : error;
}
