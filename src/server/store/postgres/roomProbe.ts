import type { Connection } from './sql/statement.ts';

/** Health may be asked by anybody, as often as they like. */
const pauseMs = 1_000;

/**
 * A sort that does not fit into memory: PostgreSQL writes about a megabyte to a temporary file of the same disk, and
 * leaves nothing behind. Only what takes new space tells that a disk is full; the next number of a sequence does not.
 */
const sortOnDisk = [
  'BEGIN READ ONLY',
  "SET LOCAL work_mem = '64kB'",
  'SELECT count(*) FROM (SELECT repeat(md5(n::text), 32) FROM generate_series(1, 1024) AS n ORDER BY 1 OFFSET 1) AS sorted',
  'COMMIT',
].join('; ');

/** Whether the disk of the database has room, looked at no more than once a second. */
export class RoomProbe {
  #again = Number.NEGATIVE_INFINITY;
  #last: Promise<unknown> = Promise.resolve();

  /** Rejects with the error of PostgreSQL: 53100 where there is no room. */
  async check(using: (work: (connection: Connection) => Promise<unknown>) => Promise<unknown>): Promise<void> {
    const nowMs = performance.now();
    if (nowMs >= this.#again) {
      this.#again = nowMs + pauseMs;
      this.#last = using((connection) => connection.query({ text: sortOnDisk }));
      this.#last.catch(() => {}); // for who asks again meanwhile
    }
    await this.#last;
  }
}
