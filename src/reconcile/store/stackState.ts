import type { StackState } from '../model.ts';
import type { Lease } from './leases.ts';
import { type Query, storedJson } from './sql.ts';

/** Locks the lease until the end of the transaction: nobody takes the stack meanwhile. */
export async function isHeld(query: Query, { stack, fence }: Lease): Promise<boolean> {
  const rows = await query('SELECT 1 FROM leases WHERE stack = $1 AND fence = $2 FOR UPDATE', [stack, fence]);
  return rows.length > 0;
}

/** Locks a stack, and where it is asked for those that come after it, whose names it returns. */
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

/** A stack as it was. */
export interface StateBefore {
  readonly state: StackState;
  readonly isAsked: boolean;
  /** The digest of the drift that was last told. */
  readonly drift: string;
}

/** Its row is locked until the end of the transaction. Undefined: it is gone. */
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
