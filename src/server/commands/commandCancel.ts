import { stringAt } from '../../base/json/json.ts';
import { findCommand, stageOf } from '../audit/commandLog.ts';
import type { Job } from '../core/job.ts';
import { cancelCommand, commandTypeOf } from './cancelCommand.ts';
import { rowOfOwner } from './commandOwner.ts';

/** Stops a command whose cancellation was requested. `about`: {id}. */
export const commandCancel: Job = (work, about) => {
  const command = findCommand(work.tx, stringAt(about, 'id') ?? '');
  if (command === undefined || stageOf(command) !== 'cancellation-requested') return;
  const type = commandTypeOf(command);
  const row = type === undefined ? undefined : rowOfOwner(work.tx, type.owner, command.owner);
  if (row !== undefined) cancelCommand(work, row, command);
};
