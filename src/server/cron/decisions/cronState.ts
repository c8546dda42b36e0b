import { isObject, type JsonObject, type JsonValue, listAt, numberAt, own, stringAt } from '../../../base/json/json.ts';
import { present } from '../../../base/json/present.ts';
import { type Execution, executionJson, isActive, readExecution } from './execution.ts';
import { readSimulatedRuns, type SimulatedRuns, simulatedRunsJson } from './simulatedRuns.ts';

/** The stored state of a cron workload in one location. */
export interface CronState {
  /** Newest first. */
  readonly executions: readonly Execution[];
  /** The next scheduled time, in milliseconds since 1970; absent for an invalid schedule. */
  readonly nextMs?: number;
  /** The schedule that determined `nextMs`. */
  readonly schedule: string;
  readonly runs: SimulatedRuns;
}

export function readCronState(value: JsonValue | undefined): CronState {
  const object = isObject(value) ? value : {};
  const nextMs = numberAt(object, 'nextMs');
  return {
    executions: listAt(object, 'executions').flatMap((each) => readExecution(each) ?? []),
    schedule: stringAt(object, 'schedule') ?? '',
    runs: readSimulatedRuns(own(object, 'runs')),
    ...present({ nextMs }),
  };
}

export function cronStateJson({ executions, nextMs, schedule, runs }: CronState): JsonObject {
  return {
    executions: executions.map(executionJson),
    schedule,
    runs: simulatedRunsJson(runs),
    ...present({ nextMs }),
  };
}

/** The time of the next event in this location, in milliseconds since 1970; undefined if there is none. */
export function nextEventMs({ executions, nextMs }: CronState): number | undefined {
  const times = executions
    .filter(isActive)
    .flatMap(({ run, retryMs, deadlineMs }) => [run?.endMs, retryMs, deadlineMs]);
  const known = [nextMs, ...times].filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
