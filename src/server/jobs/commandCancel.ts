import { stringAt } from '../../schema/json/json.ts';
import { cancelCommand, commandTypeOf } from '../commands/cancelCommand.ts';
import { rowOfOwner } from '../commands/commandOwner.ts';
import type { Job } from '../core/job.ts';
import { findCommand, stageOf } from '../journals/commandLog.ts';

/** Stops a command whose cancellation was requested. `about`: {id}. */
export const commandCancel: Job = (work, about) => {
  const command = findCommand(work.tx, stringAt(about, 'id') ?? '');
  if (command === undefined || stageOf(command) !== 'cancellation-requested') return;
  const type = commandTypeOf(command);
  const row = type === undefined ? undefined : rowOfOwner(work.tx, type.owner, command.owner);
  if (row !== undefined) cancelCommand(work, row, command);
};
