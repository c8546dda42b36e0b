import {
  isObject,
  type JsonObject,
  type JsonValue,
  numberAt,
  objectAt,
  own,
  stringAt,
} from '../../../base/json/json.ts';
import { present } from '../../../base/json/present.ts';

/** The values in the platform's specification (platform/cron.executions). */
export type ExecutionStatus = 'Active' | 'Success' | 'Failure' | 'Invalid' | 'Removed';
const statuses: readonly ExecutionStatus[] = ['Active', 'Success', 'Failure', 'Invalid', 'Removed'];

/** A simulated run of the containers, whose outcome is known from the start. Times in milliseconds since 1970. */
export interface Run {
  readonly startMs: number;
  readonly endMs: number;
  readonly exitCode: number;
}

/** An execution of a cron workload in one location. Times in milliseconds since 1970. */
export interface Execution {
  readonly name: string;
  readonly workloadVersion: number;
  readonly status: ExecutionStatus;
  /** The id of the command that started it; absent if the schedule did. */
  readonly command?: string;
  readonly startMs: number;
  /** When it ended, for any reason. */
  readonly endMs?: number;
  /** When it is stopped if still running. */
  readonly deadlineMs?: number;
  /** True with `restartPolicy: OnFailure`. */
  readonly repeats: boolean;
  /** The current run; absent between retries (see `retryMs`) and after the end. */
  readonly run?: Run;
  readonly retryMs?: number;
  /** The number of failed runs, with the time and exit code of the last one. */
  readonly failures: number;
  readonly failedMs?: number;
  readonly exitCode?: number;
  readonly reason: string;
  readonly message: string;
  /** The fields of each container by name, including overrides. */
  readonly containers: JsonObject;
}

export function isActive({ status }: Execution): boolean {
  return status === 'Active';
}

/** The only replica of an execution, which `stopReplica` names. */
export function replicaOf({ name }: Execution): string {
  return `${name}-0`;
}

export function executionJson(execution: Execution): JsonObject {
  const { run, ...rest } = execution;
  return { ...rest, ...present({ run: run === undefined ? undefined : { ...run } }) };
}

/** Returns undefined for a value that no version of the platform wrote. */
export function readExecution(value: JsonValue): Execution | undefined {
  if (!isObject(value)) return undefined;
  const name = stringAt(value, 'name');
  const status = statuses.find((each) => each === own(value, 'status'));
  const startMs = numberAt(value, 'startMs');
  if (name === undefined || status === undefined || startMs === undefined) return undefined;
  const command = stringAt(value, 'command');
  const run = readRun(own(value, 'run'));
  return {
    name,
    status,
    startMs,
    workloadVersion: numberAt(value, 'workloadVersion') ?? 0,
    repeats: own(value, 'repeats') === true,
    failures: numberAt(value, 'failures') ?? 0,
    reason: stringAt(value, 'reason') ?? '',
    message: stringAt(value, 'message') ?? '',
    containers: objectAt(value, 'containers'),
    ...present({ command, run }),
    ...numbers(value, ['endMs', 'deadlineMs', 'retryMs', 'failedMs', 'exitCode']),
  };
}

function readRun(value: JsonValue | undefined): Run | undefined {
  if (!isObject(value)) return undefined;
  const [startMs, endMs, exitCode] = [
    numberAt(value, 'startMs'),
    numberAt(value, 'endMs'),
    numberAt(value, 'exitCode'),
  ];
  if (startMs === undefined || endMs === undefined || exitCode === undefined) return undefined;
  return { startMs, endMs, exitCode };
}

function numbers<K extends string>(value: JsonObject, keys: readonly K[]): { readonly [key in K]?: number } {
  const found: { [key in K]?: number } = {};
  for (const key of keys) {
    const number = numberAt(value, key);
    if (number !== undefined) found[key] = number;
  }
  return found;
}
