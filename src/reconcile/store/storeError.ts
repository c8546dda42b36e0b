import { setTimeout as sleep } from 'node:timers/promises';
import { causeText } from '../../base/thrown.ts';
import { ToolError } from '../../base/toolError.ts';

/** The database does not respond, is starting or stopping, or has no free connection: a retry may succeed. */
const away = 'reconcile.store-away';

/** Codes of PostgreSQL (SQLSTATE, or its classes) and of the operating system. */
const ofAway =
  /^(?:08|40|53|57P|55P03|57014|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/;
/** Messages of pg without a code. */
const sentences = /^(?:Connection terminated|timeout|Client has encountered a connection error)/i;

const fixes: Readonly<Record<string, string>> = {
  '28P01': 'Correct the user and the password in the address of the store.',
  '28000': 'Correct the user and the password in the address of the store, or let this user in (pg_hba.conf).',
  '3D000': 'Create the database (createdb NAME), or correct its name in the address of the store.',
  '42501': 'Let the user create schemas: GRANT CREATE ON DATABASE name TO user.',
};

/** The error of the store, with a hint. Our own errors stay unchanged. */
export function storeError(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  const [first] = error instanceof AggregateError ? error.errors : [error];
  const why = causeText(first);
  const code = first instanceof Error && 'code' in first ? String(first.code) : '';
  if (ofAway.test(code) || (code === '' && sentences.test(why)))
    return new ToolError({
      code: 'reconcile.store-away',
      message: `the store cannot be reached: ${why}`,
      hint: 'Check that the database runs, and the host and the port in the address of the store.',
      cause: error,
    });
  return new ToolError({
    code: 'reconcile.store',
    message: `the store cannot be opened: ${why}`,
    hint: fixes[code] ?? 'Check the address of --store, and that the database runs and lets you create a schema.',
    cause: error,
  });
}

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
/** A command uses a folder briefly; a worker keeps it. */
const commandsMs = 10_000;

/**
 * Retries with growing pauses while the store is unavailable, or a command uses its folder. `waits`: receives the
 * reason and the next pause. Undefined if `signal` was aborted.
 */
export async function whenThere<T>(
  open: () => Promise<T>,
  { signal, waits }: { readonly signal: AbortSignal; readonly waits: (error: ToolError, ms: number) => void },
): Promise<T | undefined> {
  const startedMs = performance.now();
  for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await open();
    } catch (error) {
      const code = error instanceof ToolError ? error.code : '';
      const isHeld = code === 'reconcile.locked' && performance.now() - startedMs < commandsMs;
      if (!(error instanceof ToolError) || (code !== away && !isHeld)) throw error;
      waits(error, pauseMs);
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
  return undefined;
}
