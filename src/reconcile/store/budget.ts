import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from './sql.ts';

/** Requests taken together, so that the store is not queried before each of them. */
const atOnce = 20;

/** A token bucket per endpoint, shared by all workers. */
export class Budget {
  readonly #sql: Sql;
  readonly #perSecond: () => number | undefined;
  readonly #left = new Map<string, number>();
  readonly #asking = new Map<string, Promise<void>>();

  /** `perSecond`: if undefined, requests are only counted. */
  constructor(sql: Sql, perSecond: () => number | undefined) {
    this.#sql = sql;
    this.#perSecond = perSecond;
  }

  /** Waits until one more request may be sent. */
  async spend(endpoint: string): Promise<void> {
    for (;;) {
      const left = this.#left.get(endpoint) ?? 0;
      if (left >= 1) {
        this.#left.set(endpoint, left - 1);
        return;
      }
      const asking = this.#asking.get(endpoint) ?? this.#fill(endpoint).finally(() => this.#asking.delete(endpoint));
      this.#asking.set(endpoint, asking);
      await asking;
    }
  }

  /** Requests of all workers so far. */
  async spent(): Promise<number> {
    const [row] = await this.#sql.query('SELECT coalesce(sum(requests), 0)::bigint AS requests FROM budget');
    return Number(row?.['requests'] ?? 0);
  }

  async #fill(endpoint: string): Promise<void> {
    const perSecond = this.#perSecond();
    if (perSecond === undefined) {
      await this.#sql.query(
        `INSERT INTO budget (endpoint, tokens, at, requests) VALUES ($1, 0, clock_timestamp(), $2)
         ON CONFLICT (endpoint) DO UPDATE SET requests = budget.requests + $2`,
        [endpoint, atOnce],
      );
      this.#left.set(endpoint, atOnce);
      return;
    }
    // The bucket contains at most a second's worth, and a worker takes at most a quarter of that.
    const most = Math.max(1, Math.min(atOnce, Math.floor(perSecond / 4)));
    const [row] = await this.#sql.query(
      `INSERT INTO budget AS b (endpoint, tokens, at, requests) VALUES ($1, $2::float8 - $3, clock_timestamp(), $3)
       ON CONFLICT (endpoint) DO UPDATE SET
         tokens = least($2, b.tokens + extract(epoch FROM clock_timestamp() - b.at) * $2) - $3,
         at = clock_timestamp(), requests = b.requests + $3
       WHERE least($2, b.tokens + extract(epoch FROM clock_timestamp() - b.at) * $2) >= $3
       RETURNING tokens`,
      [endpoint, Math.max(perSecond, most), most],
    );
    if (row === undefined) await sleep(Math.ceil((1_000 * most) / perSecond));
    else this.#left.set(endpoint, most);
  }
}
