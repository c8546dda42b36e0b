import { isObject, type JsonObject, type JsonValue, numberAt } from '../../../base/json/json.ts';
import { present } from '../../../base/json/present.ts';

/** The simulated outcome of the next `left` runs of a cron workload in one location. The default applies afterwards. */
export interface SimulatedRuns {
  readonly runSeconds: number;
  readonly exitCode: number;
  /** Undefined for all further runs. */
  readonly left?: number;
}

export const defaultRun: SimulatedRuns = { runSeconds: 1, exitCode: 0 };

/** The outcome of one run, and the simulation for the next ones. */
export function drawRun(runs: SimulatedRuns): { readonly run: SimulatedRuns; readonly rest: SimulatedRuns } {
  if (runs.left === undefined) return { run: runs, rest: runs };
  return { run: runs, rest: runs.left > 1 ? { ...runs, left: runs.left - 1 } : defaultRun };
}

export function readSimulatedRuns(value: JsonValue | undefined): SimulatedRuns {
  if (!isObject(value)) return defaultRun;
  const left = numberAt(value, 'left');
  return {
    runSeconds: numberAt(value, 'runSeconds') ?? defaultRun.runSeconds,
    exitCode: numberAt(value, 'exitCode') ?? defaultRun.exitCode,
    ...present({ left }),
  };
}

export function simulatedRunsJson(runs: SimulatedRuns): JsonObject {
  return { ...runs };
}
