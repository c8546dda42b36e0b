import { type Execution, isActive } from './execution.ts';
import type { CronPlace } from './place.ts';
import { ended, type Step } from './step.ts';

/** Removes the executions that go on and are chosen: by `stopReplica`, or because their command is cancelled. */
export function stop(place: CronPlace, chosen: (execution: Execution) => boolean, atMs: number, message: string): Step {
  const stopped = new Map(
    place.executions
      .filter((execution) => isActive(execution) && chosen(execution))
      .map((execution) => [execution, ended(execution, 'Removed', atMs, 'Stopped', message)]),
  );
  const executions = place.executions.map((execution) => stopped.get(execution) ?? execution);
  return { place: { ...place, executions }, changed: [...stopped.values()] };
}
