import { objectAt, stringAt } from '../../base/json/json.ts';
import { changeCommand, findCommand, stageOf } from '../audit/commandLog.ts';
import type { Job } from '../core/job.ts';
import { isTerminal } from './decisions/lifecycle.ts';

/** Ends an echo command that was asked to wait. `about`: {id}. */
export const commandEcho: Job = (work, about) => {
  const command = findCommand(work.tx, stringAt(about, 'id') ?? '');
  if (command === undefined || isTerminal(stageOf(command))) return;
  const status = { echo: objectAt(command.body, 'spec') };
  changeCommand(work, command.id, { lifecycleStage: 'completed', status });
};
