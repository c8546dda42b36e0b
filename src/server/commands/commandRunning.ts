import { stringAt } from '../../base/json/json.ts';
import { changeCommand, findCommand, stageOf, statusOf } from '../audit/commandLog.ts';
import type { Job } from '../core/job.ts';

/** Starts a pending command. `about`: {id}. */
export const commandRunning: Job = (work, about) => {
  const command = findCommand(work.tx, stringAt(about, 'id') ?? '');
  if (command === undefined || stageOf(command) !== 'pending') return;
  changeCommand(work, command.id, { lifecycleStage: 'running', status: statusOf(command) });
};
