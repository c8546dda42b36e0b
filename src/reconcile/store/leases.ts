import type { StackState } from '../model.ts';
import { type Query, type Sql, storedJson } from './sql.ts';

/** The right to work on a stack, while it is renewed. */
export interface Lease {
  readonly stack: string;
  /** Rises by one each time a stack is taken: work under an older number does not count. */
  readonly fence: number;
}

/** A worker without renewal for this long may be dead: another one takes its stacks. */
export const leaseSeconds = 15;

/** Uses the clock of the database, so those of workers do not matter. */
export class Leases {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /**
   * Undefined if another worker has it. A lease with too long a time comes from a clock that was set back, and is
   * taken.
   */
  async take(stack: string, worker: string): Promise<Lease | undefined> {
    const [row] = await this.#sql.query(
      `INSERT INTO leases (stack, fence, worker, until)
       VALUES ($1, 1, $2, clock_timestamp() + make_interval(secs => $3))
       ON CONFLICT (stack) DO UPDATE
       SET fence = leases.fence + 1, worker = excluded.worker, until = excluded.until
       WHERE leases.until <= clock_timestamp() OR leases.until > clock_timestamp() + make_interval(secs => 2 * $3)
       RETURNING fence`,
      [stack, worker, leaseSeconds],
    );
    return row === undefined ? undefined : { stack, fence: Number(row['fence']) };
  }

  /** Returns the leases that are still held. */
  async renew(leases: readonly Lease[]): Promise<readonly Lease[]> {
    if (leases.length === 0) return [];
    const rows = await this.#sql.query(
      `UPDATE leases SET until = clock_timestamp() + make_interval(secs => $1)
       FROM unnest($2::text[], $3::bigint[]) AS held (stack, fence)
       WHERE leases.stack = held.stack AND leases.fence = held.fence AND leases.until > clock_timestamp()
       RETURNING leases.stack`,
      [leaseSeconds, leases.map(({ stack }) => stack), leases.map(({ fence }) => String(fence))],
    );
    const kept = new Set(rows.map(({ stack }) => stack));
    return leases.filter(({ stack }) => kept.has(stack));
  }

  /** Called before each write. */
  async isHeld({ stack, fence }: Lease): Promise<boolean> {
    const rows = await this.#sql.query(
      'SELECT 1 FROM leases WHERE stack = $1 AND fence = $2 AND until > clock_timestamp()',
      [stack, fence],
    );
    return rows.length > 0;
  }

  async release({ stack, fence }: Lease): Promise<void> {
    await this.#sql.query('UPDATE leases SET until = clock_timestamp() WHERE stack = $1 AND fence = $2', [
      stack,
      fence,
    ]);
  }
}

/** Locks the lease until the end of the transaction, so that the stack cannot be taken meanwhile. */
export async function isHeld(query: Query, { stack, fence }: Lease): Promise<boolean> {
  const rows = await query('SELECT 1 FROM leases WHERE stack = $1 AND fence = $2 FOR UPDATE', [stack, fence]);
  return rows.length > 0;
}

/** Locks a stack, optionally with the stacks that come after it, and returns their names. */
export async function lockWithDependents(
  query: Query,
  stack: string,
  withDependents: boolean,
): Promise<readonly string[]> {
  const rows = await query(
    "SELECT name FROM stacks WHERE name = $1 OR ($2 AND (entry -> 'after')::jsonb ? $1) ORDER BY name FOR UPDATE",
    [stack, withDependents],
  );
  return rows.map(({ name }) => String(name)).filter((name) => name !== stack);
}

/** The former values of a stack. */
interface StateBefore {
  readonly state: StackState;
  readonly isAsked: boolean;
  /** The digest of the drift reported last. */
  readonly drift: string;
}

/** Locks the row until the end of the transaction. Undefined if it is deleted. */
export async function changeState(
  query: Query,
  stack: string,
  change: (state: StackState) => StackState,
): Promise<StateBefore | undefined> {
  const [row] = await query(
    "SELECT state, asked_ms, told ->> 'drift' AS drift FROM stacks WHERE name = $1 FOR UPDATE",
    [stack],
  );
  if (row === undefined) return undefined;
  const state = row['state'] as StackState;
  await query('UPDATE stacks SET state = $2 WHERE name = $1', [stack, storedJson(change(state))]);
  return { state, isAsked: row['asked_ms'] !== null, drift: String(row['drift'] ?? '') };
}
