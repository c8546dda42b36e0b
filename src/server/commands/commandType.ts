import type { JsonObject } from '../../schema/json/json.ts';
import type { Session } from '../core/session.ts';
import type { CommandState } from '../journals/commandLog.ts';
import type { Entry, Row } from '../store/row.ts';

/** One type of command (platform/commands). */
export interface CommandType {
  readonly owner: 'org' | 'volumeset' | 'workload';
  readonly type: string;
  /** JSON Schema of its `spec`, of the words that `rules/commands/schemaProblems.ts` knows; checked before `begin`. */
  readonly spec: JsonObject;
  /**
   * Checks the command against its record and begins it; throws an ApiFailure where it is refused. Its entry is written
   * after that. What is to happen later is scheduled here, as due work that calls `changeCommand`.
   */
  readonly begin: (
    session: Session,
    row: Row,
    command: { readonly id: string; readonly spec: JsonObject },
  ) => CommandState;
  /**
   * Undoes what `begin` scheduled or started; the stage is set by who calls it. Where it is absent a command can only
   * be cancelled while it is pending, and its due work has to look at the stage.
   */
  readonly cancel?: (session: Session, row: Row, command: Entry) => void;
}
