import type { JsonObject } from '../../base/json/json.ts';
import type { Session } from './session.ts';

/** Due work inside its transaction. `now()` is the time at which it was due; the caller is the platform itself. */
export interface JobWork extends Session {
  readonly atMs: number;
  /** The delay; large only after a time without a running server. */
  readonly lateMs: number;
}

/**
 * The action of scheduled work. Its entry is deleted in the same transaction, so that it runs once. Does nothing if its
 * record no longer exists.
 */
export type Job = (work: JobWork, about: JsonObject) => void;
