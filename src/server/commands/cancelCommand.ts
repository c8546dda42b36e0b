import { changeCommand, findCommand, statusOf } from '../audit/commandLog.ts';
import type { Session } from '../core/session.ts';
import type { Entry, Row } from '../store/model/row.ts';
import { commandTypes } from './commandTypes.ts';

/** Ends a command early: its type undoes what it started. */
export function cancelCommand(session: Session, row: Row, command: Entry): void {
  commandTypeOf(command)?.cancel?.(session, row, command);
  const after = findCommand(session.tx, command.id);
  if (after !== undefined) changeCommand(session, after.id, { lifecycleStage: 'cancelled', status: statusOf(after) });
}

export function commandTypeOf({ kind }: Entry): (typeof commandTypes)[number] | undefined {
  return commandTypes.find(({ type }) => type === kind);
}
