import type { CronState } from './cronState.ts';
import { type Execution, isActive } from './execution.ts';
import { type CronStep, ended } from './step.ts';

/** Removes the selected active executions, for `stopReplica` or a cancelled command. */
export function stop(
  state: CronState,
  chosen: (execution: Execution) => boolean,
  atMs: number,
  message: string,
): CronStep {
  const stopped = new Map(
    state.executions
      .filter((execution) => isActive(execution) && chosen(execution))
      .map((execution) => [
        execution,
        ended(execution, { status: 'Removed', endMs: atMs, reason: 'Stopped', message }),
      ]),
  );
  const executions = state.executions.map((execution) => stopped.get(execution) ?? execution);
  return { state: { ...state, executions }, changed: [...stopped.values()] };
}
