import { early } from './request.ts';
import { type StackProcess, startStackProcess } from './stackProcess.ts';

let waiting: StackProcess | undefined;

/**
 * Starts the process of a stack while everything else is still being loaded. One that turns out not to be needed costs
 * some processor time: it waits for work, and ends with this process.
 */
export function startEarly(): void {
  waiting = startStackProcess(process.cwd(), early);
}

/** The process that was started early, or a new one. */
export function takeStackProcess(cwd: string): StackProcess {
  const taken = waiting;
  waiting = undefined;
  const alive = taken?.pid !== undefined && taken.exitCode === null && taken.signalCode === null;
  return alive && cwd === process.cwd() ? taken : startStackProcess(cwd, 'now');
}
