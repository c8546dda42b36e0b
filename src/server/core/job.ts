import type { JsonObject } from '../../schema/json/json.ts';
import type { Session } from './session.ts';

/** Due work inside its transaction. `now()` is the time at which it was due; the caller is the platform itself. */
export interface JobWork extends Session {
  readonly atMs: number;
  /** How late it is: more than a moment only where no server was running. */
  readonly lateMs: number;
}

/**
 * What happens when work is due. Its due row is gone already, in the same transaction, so that it takes effect once.
 * Where the record that it is about is gone, it does nothing.
 */
export type Job = (work: JobWork, about: JsonObject) => void;
