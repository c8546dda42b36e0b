import type { Reader } from '../../base/form/read.ts';
import type { JsonObject } from '../../base/json/json.ts';
import type { Session } from '../core/session.ts';
import type { Entry, Row } from '../store/model/row.ts';
import type { CommandState } from './commandLog.ts';

/** A command that is to begin. */
export interface NewCommand {
  readonly id: string;
  readonly spec: JsonObject;
}

/** One type of command (platform/commands). */
export interface CommandType {
  readonly owner: 'org' | 'volumeset' | 'workload';
  readonly type: string;
  /** Of its `spec`, which is checked before `begin`. */
  readonly spec: Reader<unknown>;
  /**
   * Checks the command against its record and starts it; throws an ApiFailure if it is refused. Its entry is written
   * afterwards. Later steps are scheduled here, as due work that calls `changeCommand`.
   */
  readonly begin: (session: Session, row: Row, command: NewCommand) => CommandState;
  /**
   * Undoes what `begin` scheduled or started; the caller sets the stage. Without it a command can be cancelled only
   * while it is pending, and its due work must check the stage.
   */
  readonly cancel?: (session: Session, row: Row, command: Entry) => void;
}
