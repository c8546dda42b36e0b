import type { JsonObject } from '../../base/json/json.ts';
import type { TargetState } from '../model.ts';
import type { Query, Sql } from './sql.ts';

/** A notification that is to be delivered. */
export interface Notice {
  readonly target: string;
  readonly body: JsonObject;
}

/** One that this worker is to deliver now. */
export interface ClaimedNotice extends Notice {
  readonly id: string;
}

const atOnce = 20;
/** A worker that has not said what became of a notification may be dead: another one delivers it. */
const claimedMs = 120_000;
const firstAgainMs = 15_000;
const longestAgainMs = 600_000;
const keptMs = 24 * 3_600_000;

/**
 * Notifications that are to be delivered. They are written in the transaction of what they tell, and go when they were
 * delivered, so that each is delivered at least once: twice, with the same id, where a worker dies in between.
 */
export class Notices {
  readonly #sql: Sql;
  readonly #now: () => number;

  constructor(sql: Sql, now: () => number) {
    this.#sql = sql;
    this.#now = now;
  }

  /** `query`: of the transaction. */
  async put(query: Query, notices: readonly Notice[]): Promise<void> {
    for (const { target, body } of notices)
      await query('INSERT INTO notices (target, body, made_ms, next_ms) VALUES ($1, $2, $3, $3)', [
        target,
        JSON.stringify(body),
        this.#now(),
      ]);
  }

  /** Those of these targets whose time has come, the oldest first. */
  async claim(targets: readonly string[]): Promise<readonly ClaimedNotice[]> {
    const nowMs = this.#now();
    const rows = await this.#sql.query(
      `UPDATE notices SET next_ms = $3 WHERE id IN (
         SELECT id FROM notices WHERE target = ANY ($1::text[]) AND next_ms <= $2
         ORDER BY id LIMIT ${atOnce} FOR UPDATE SKIP LOCKED)
       RETURNING id, target, body`,
      [targets, nowMs, nowMs + claimedMs],
    );
    return rows
      .map(({ id, target, body }) => ({ id: String(id), target: String(target), body: body as JsonObject }))
      .toSorted((a, b) => Number(a.id) - Number(b.id));
  }

  async delivered({ id, target }: ClaimedNotice): Promise<void> {
    await this.#sql.transaction(async (query) => {
      await query('DELETE FROM notices WHERE id = $1', [id]);
      await query(
        `INSERT INTO targets (name, delivered) VALUES ($1, 1)
         ON CONFLICT (name) DO UPDATE SET delivered = targets.delivered + 1, attempts = 0, failing_ms = NULL, because = NULL`,
        [target],
      );
    });
  }

  /** The target is left alone for a while, twice as long each time; what waited for a day is lost. */
  async failed(target: string, because: string): Promise<void> {
    const nowMs = this.#now();
    await this.#sql.transaction(async (query) => {
      const [row] = await query(
        `INSERT INTO targets (name, attempts, failing_ms, because) VALUES ($1, 1, $2, $3)
         ON CONFLICT (name) DO UPDATE SET attempts = targets.attempts + 1,
           failing_ms = coalesce(targets.failing_ms, excluded.failing_ms), because = excluded.because
         RETURNING attempts`,
        [target, nowMs, because],
      );
      const againMs = Math.min(longestAgainMs, firstAgainMs * 2 ** Math.min(Number(row?.['attempts']) - 1, 16));
      const lost = await query('DELETE FROM notices WHERE target = $1 AND made_ms <= $2 RETURNING id', [
        target,
        nowMs - keptMs,
      ]);
      await query('UPDATE targets SET lost = lost + $2 WHERE name = $1', [target, lost.length]);
      await query('UPDATE notices SET next_ms = $2 WHERE target = $1', [target, nowMs + againMs]);
    });
  }

  /** Of other targets nothing is told any more. */
  async forgetOthers(targets: readonly string[]): Promise<void> {
    await this.#sql.query('DELETE FROM targets WHERE name <> ALL ($1::text[])', [targets]);
    await this.#sql.query('DELETE FROM notices WHERE made_ms <= $1', [this.#now() - keptMs]);
  }

  /** By name. */
  async targets(): Promise<readonly TargetState[]> {
    const rows = await this.#sql.query(
      `SELECT name, delivered, lost, failing_ms, because,
         (SELECT count(*) FROM notices WHERE target = name)::integer AS waiting
       FROM targets ORDER BY name`,
    );
    return rows.map(({ name, delivered, lost, failing_ms: failing, because, waiting }) => ({
      name: String(name),
      delivered: Number(delivered),
      lost: Number(lost),
      waiting: Number(waiting),
      ...(failing === null ? {} : { failing: { sinceMs: Number(failing), because: String(because) } }),
    }));
  }
}
