import type { Connection } from './sql/statement.ts';

/** Anyone may request health, at any rate. */
const pauseMs = 1_000;

/**
 * A sort that exceeds the memory: PostgreSQL writes about a megabyte to a temporary file of the same disk and removes
 * it. Only an allocation shows that a disk is full; the next number of a sequence does not.
 */
const sortOnDisk = [
  'BEGIN READ ONLY',
  "SET LOCAL work_mem = '64kB'",
  'SELECT count(*) FROM ' +
    '(SELECT repeat(md5(n::text), 32) FROM generate_series(1, 1024) AS n ORDER BY 1 OFFSET 1) AS sorted',
  'COMMIT',
].join('; ');

/** Checks at most once a second whether the disk of the database has space. */
export class RoomProbe {
  #again = Number.NEGATIVE_INFINITY;
  #last: Promise<unknown> = Promise.resolve();

  /** Rejects with the error of PostgreSQL: 53100 if there is no space. */
  async check(using: (work: (connection: Connection) => Promise<unknown>) => Promise<unknown>): Promise<void> {
    const nowMs = performance.now();
    if (nowMs >= this.#again) {
      this.#again = nowMs + pauseMs;
      this.#last = using((connection) => connection.query({ text: sortOnDisk }));
      this.#last.catch(() => {}); // handled by the later callers
    }
    await this.#last;
  }
}
