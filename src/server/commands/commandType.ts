import type { JsonObject } from '../../schema/json.ts';
import type { Session } from '../routes/session.ts';
import type { Entry, Row } from '../store/row.ts';

export type Stage = 'cancelled' | 'completed' | 'failed' | 'pending' | 'running';

/** How far a command is; `status` is free (protocol 3.5). */
export interface CommandState {
  readonly lifecycleStage: Stage;
  readonly status: JsonObject;
}

/** One type of command (protocol 3.5). */
export interface CommandType {
  readonly owner: 'org' | 'volumeset' | 'workload';
  readonly type: string;
  /** JSON Schema of its `spec`. */
  readonly spec: JsonObject;
  /** Checks the command against its record and begins it; throws an ApiFailure where it is refused. */
  readonly begin: (
    session: Session,
    row: Row,
    command: { readonly id: string; readonly spec: JsonObject },
  ) => CommandState;
  /** Ends it before its time; absent where it cannot be ended once it runs. */
  readonly cancel?: (session: Session, row: Row, command: Entry) => void;
}
