import type { JsonObject } from '../../schema/json/json.ts';
import type { Caller } from './caller.ts';
import type { Platform } from './platform.ts';
import type { Transaction } from '../store/row.ts';

/** One piece of due work inside its transaction. */
export interface JobWork {
  /** `now()` is the time at which the work was due. */
  readonly platform: Platform;
  readonly tx: Transaction;
  /** The platform itself. */
  readonly caller: Caller;
  readonly atMs: number;
  /** How late it is: more than a moment only where no server was running. */
  readonly lateMs: number;
}

/**
 * What happens when work is due. Its due row is gone already, in the same transaction, so that it takes effect once. Where
 * the record that it is about is gone, it does nothing.
 */
export type Job = (work: JobWork, about: JsonObject) => void;
