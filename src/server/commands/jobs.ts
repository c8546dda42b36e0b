import { objectAt, stringAt } from '../../base/json/json.ts';
import { changeCommand, findCommand, stageOf, statusOf } from '../audit/commandLog.ts';
import type { Job } from '../core/job.ts';
import { rowOfOwner } from './commandOwner.ts';
import { cancelCommand, commandTypeOf } from './commandTypes.ts';
import { isTerminal } from './decisions/lifecycle.ts';

/** Stops a command whose cancellation was requested. `about`: {id}. */
export const commandCancel: Job = (work, about) => {
  const command = findCommand(work.tx, stringAt(about, 'id') ?? '');
  if (command === undefined || stageOf(command) !== 'cancellation-requested') return;
  const type = commandTypeOf(command);
  const row = type === undefined ? undefined : rowOfOwner(work.tx, type.owner, command.owner);
  if (row !== undefined) cancelCommand(work, row, command);
};

/** Ends an echo command after its wait. `about`: {id}. */
export const commandEcho: Job = (work, about) => {
  const command = findCommand(work.tx, stringAt(about, 'id') ?? '');
  if (command === undefined || isTerminal(stageOf(command))) return;
  const status = { echo: objectAt(command.body, 'spec') };
  changeCommand(work, command.id, { lifecycleStage: 'completed', status });
};

/** Starts a pending command. `about`: {id}. */
export const commandRunning: Job = (work, about) => {
  const command = findCommand(work.tx, stringAt(about, 'id') ?? '');
  if (command === undefined || stageOf(command) !== 'pending') return;
  changeCommand(work, command.id, { lifecycleStage: 'running', status: statusOf(command) });
};
