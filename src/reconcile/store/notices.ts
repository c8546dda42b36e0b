import type { JsonObject } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import type { TargetState } from '../model.ts';
import { type Query, type Sql, storedJson } from './sql.ts';

/** A notification to deliver. */
export interface Notice {
  readonly target: string;
  readonly body: JsonObject;
}

/** The status for a stack's commit: not an event, so only the newest counts, however old it is. */
export interface StatusNotice extends Notice {
  readonly stack: string;
  /** Equal if it need not be sent again. */
  readonly status: string;
}

/** A notice for this worker to deliver now. */
export interface ClaimedNotice extends Notice, Partial<Pick<StatusNotice, 'stack' | 'status'>> {
  readonly id: string;
}

const atOnce = 20;
/**
 * `next_ms` of a notification: 0 or past if it waits; later if a worker delivers it, which counts as dead from then on.
 */
const claimedMs = 120_000;
const firstAgainMs = 15_000;
const longestAgainMs = 600_000;
const keptMs = 24 * 3_600_000;

/**
 * Notifications and commit statuses to deliver. They are written in the transaction of the event and deleted after
 * delivery, so each is delivered at least once: twice with the same id, if a worker dies in between.
 */
export class Notices {
  readonly #sql: Sql;
  readonly #now: () => number;

  constructor(sql: Sql, now: () => number) {
    this.#sql = sql;
    this.#now = now;
  }

  /** `query`: from the event's transaction. */
  async put(query: Query, notices: readonly Notice[]): Promise<void> {
    for (const { target, body } of notices)
      await query('INSERT INTO notices (target, body, made_ms, next_ms) VALUES ($1, $2, $3, $3)', [
        target,
        storedJson(body),
        this.#now(),
      ]);
  }

  /**
   * Called in the state's transaction, with the stack locked. Skips a status that the forge already has or will get. A
   * worker that is sending an earlier one continues, and this one follows.
   */
  async putStatus(query: Query, { target, body, stack, status }: StatusNotice): Promise<void> {
    const [row] = await query(
      `SELECT coalesce((SELECT status FROM notices WHERE stack = $1 ORDER BY id DESC LIMIT 1), told ->> 'commit') AS last
       FROM stacks WHERE name = $1`,
      [stack],
    );
    if (row === undefined || row['last'] === status) return;
    const nowMs = this.#now();
    await query(
      `DELETE FROM notices WHERE id IN (
         SELECT id FROM notices WHERE stack = $1 AND next_ms <= $2 FOR UPDATE SKIP LOCKED)`,
      [stack, nowMs],
    );
    await query('INSERT INTO notices (target, body, made_ms, next_ms, stack, status) VALUES ($1, $2, $3, $3, $4, $5)', [
      target,
      storedJson(body),
      nowMs,
      stack,
      status,
    ]);
  }

  /** The next notices for these targets, in order; none for a target that is paused or served by another worker. */
  async claim(targets: readonly string[]): Promise<readonly ClaimedNotice[]> {
    const nowMs = this.#now();
    const rows = await this.#sql.transaction(async (query) => {
      const free = await query(
        `SELECT name FROM targets WHERE name = ANY ($1::text[]) AND next_ms <= $2
           AND EXISTS (SELECT 1 FROM notices WHERE target = name) FOR UPDATE SKIP LOCKED`,
        [targets, nowMs],
      );
      if (free.length === 0) return [];
      return query(
        `UPDATE notices SET next_ms = $3 WHERE id IN (
           SELECT id FROM notices WHERE target = ANY ($1::text[]) AND NOT EXISTS (
             SELECT 1 FROM notices AS earlier
             WHERE earlier.target = notices.target AND earlier.id <= notices.id AND earlier.next_ms > $2)
           ORDER BY id LIMIT ${atOnce})
         RETURNING id, target, body, stack, status`,
        [free.map(({ name }) => String(name)), nowMs, nowMs + claimedMs],
      );
    });
    return rows
      .map(({ id, target, body, stack, status }) => ({
        ...{ id: String(id), target: String(target), body: body as JsonObject },
        ...(stack === null ? {} : { stack: String(stack), status: String(status) }),
      }))
      .toSorted((a, b) => Number(a.id) - Number(b.id));
  }

  async delivered(notice: ClaimedNotice): Promise<void> {
    await this.#gone(notice, 'delivered');
  }

  /** Drops a notice that would never be accepted, so that it does not delay later ones. */
  async refused(notice: ClaimedNotice): Promise<void> {
    await this.#gone(notice, 'lost');
  }

  async #gone({ id, target, stack, status }: ClaimedNotice, counted: 'delivered' | 'lost'): Promise<void> {
    await this.#sql.transaction(async (query) => {
      await query(
        `UPDATE targets SET ${counted} = ${counted} + 1, attempts = 0, failing_ms = NULL, because = NULL, next_ms = 0
         WHERE name = $1`,
        [target],
      );
      await query('DELETE FROM notices WHERE id = $1', [id]);
      // If it was not the newest one, the next run sends the newest again.
      if (stack !== undefined && status !== undefined)
        await query("UPDATE stacks SET told = told || jsonb_build_object('commit', $2::text) WHERE name = $1", [
          stack,
          status,
        ]);
    });
  }

  /** Pauses the target, twice as long each time; an event that waited for a day is lost. */
  async failed(target: string, because: string): Promise<void> {
    const nowMs = this.#now();
    await this.#sql.transaction(async (query) => {
      const [row] = await query(
        `UPDATE targets SET attempts = attempts + 1, failing_ms = coalesce(failing_ms, $2), because = $3
         WHERE name = $1 RETURNING attempts`,
        [target, nowMs, because],
      );
      const againMs = Math.min(longestAgainMs, firstAgainMs * 2 ** Math.min(Number(row?.['attempts']) - 1, 16));
      const lost = await query(
        'DELETE FROM notices WHERE target = $1 AND made_ms <= $2 AND stack IS NULL RETURNING id',
        [target, nowMs - keptMs],
      );
      await query('UPDATE targets SET lost = lost + $2, next_ms = $3 WHERE name = $1', [
        target,
        lost.length,
        nowMs + againMs,
      ]);
      await query('UPDATE notices SET next_ms = 0 WHERE target = $1', [target]);
    });
  }

  /** Removes other targets. */
  async follow(targets: readonly string[]): Promise<void> {
    await this.#sql.query('INSERT INTO targets (name) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING', [targets]);
    await this.#sql.query('DELETE FROM targets WHERE name <> ALL ($1::text[])', [targets]);
    await this.#sql.query(
      `DELETE FROM notices WHERE CASE WHEN stack IS NULL THEN made_ms <= $1
         ELSE stack NOT IN (SELECT name FROM stacks) OR target NOT IN (SELECT name FROM targets) END`,
      [this.#now() - keptMs],
    );
  }

  /** Sorted by name. */
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
      ...present({ failing: failing === null ? undefined : { sinceMs: Number(failing), because: String(because) } }),
    }));
  }
}
