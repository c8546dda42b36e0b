import {
  isObject,
  type JsonArray,
  type JsonObject,
  listAt,
  numberAt,
  objectAt,
  own,
  stringAt,
} from '../../../base/json/json.ts';
import { present } from '../../../base/json/present.ts';
import { type Execution, type ExecutionStatus, isActive, replicaOf } from './execution.ts';

/** The settings for executions of a cron workload, with defaults (platform/workload.job). */
export interface CronJob {
  readonly workload: string;
  readonly version: number;
  readonly schedule: string;
  readonly policy: 'Forbid' | 'Replace' | 'Allow';
  readonly historyLimit: number;
  readonly repeats: boolean;
  readonly deadlineSeconds: number | undefined;
  readonly suspended: boolean;
  readonly containers: JsonArray;
}

const defaultHistoryLimit = 5;

interface Workload {
  readonly record: JsonObject;
  readonly name: string;
  readonly version: number;
}

/** Returns undefined for a workload of another type. */
export function jobOf({ record, name, version }: Workload): CronJob | undefined {
  const spec = objectAt(record, 'spec');
  if (stringAt(spec, 'type') !== 'cron') return undefined;
  const job = objectAt(spec, 'job');
  const policy = own(job, 'concurrencyPolicy');
  return {
    workload: name,
    version,
    schedule: stringAt(job, 'schedule') ?? '',
    policy: policy === 'Replace' || policy === 'Allow' ? policy : 'Forbid',
    historyLimit: numberAt(job, 'historyLimit') ?? defaultHistoryLimit,
    repeats: own(job, 'restartPolicy') === 'OnFailure',
    deadlineSeconds: numberAt(job, 'activeDeadlineSeconds'),
    // Cron workloads have no local options, so this applies to all locations.
    suspended: own(objectAt(spec, 'defaultOptions'), 'suspend') === true,
    containers: listAt(spec, 'containers'),
  };
}

/** The fields of each container, with those of the override of the same name. */
export function containerFields({ containers }: CronJob, overrides: JsonArray): JsonObject {
  const running = containers.flatMap((container) => {
    const name = isObject(container) ? stringAt(container, 'name') : undefined;
    if (!isObject(container) || name === undefined) return [];
    const override = overrides.find((each) => isObject(each) && own(each, 'name') === name);
    const run = { ...picked(container, ['image', 'cpu', 'memory']), ...(isObject(override) ? override : {}), name };
    return [[name, run] as const];
  });
  return Object.fromEntries(running);
}

function picked(container: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.map((key) => [key, own(container, key) ?? '']));
}

/** The condition type of an execution; an active one has none. */
const conditionTypes: Readonly<Record<ExecutionStatus, string | undefined>> = {
  Active: undefined,
  Success: 'Complete',
  Failure: 'Failed',
  Invalid: 'Failed',
  Removed: 'Removed',
};

/** One item of `status.jobExecutions` of a deployment (platform/cron.executions). */
export function executionShown(execution: Execution): JsonObject {
  const { name, workloadVersion, status, startMs, endMs, message } = execution;
  return {
    name,
    workloadVersion,
    status,
    startTime: timeText(startMs),
    ...present({ completionTime: endMs === undefined ? undefined : timeText(endMs) }),
    ...present({ replica: status === 'Invalid' ? undefined : replicaOf(execution) }),
    message:
      message === '' && execution.retryMs !== undefined ? `runs again at ${timeText(execution.retryMs)}` : message,
    conditions: conditions(execution),
    containers: containers(execution),
  };
}

function conditions({ status, endMs, reason, message }: Execution): readonly JsonObject[] {
  const type = conditionTypes[status];
  if (type === undefined || endMs === undefined) return [];
  const time = timeText(endMs);
  return [{ type, status: 'True', reason, message, lastDetectionTime: time, lastTransitionTime: time }];
}

function containers(execution: Execution): JsonObject {
  const shown = Object.entries(execution.containers).flatMap(([name, container]) =>
    isObject(container) ? [[name, containerShown(execution, container)] as const] : [],
  );
  return Object.fromEntries(shown);
}

function containerShown(execution: Execution, container: JsonObject): JsonObject {
  const { name, image, cpu, memory, ...overridden } = container;
  const running = isActive(execution) && execution.run !== undefined;
  return {
    name: name ?? '',
    image: image ?? '',
    ready: running,
    message: '',
    resources: {
      replicas: isActive(execution) ? 1 : 0,
      replicasReady: running ? 1 : 0,
      cpu: cpu ?? '',
      memory: memory ?? '',
    },
    ...overridden,
    ...restarts(execution),
  };
}

/** The number of retries, and the end of the last failed run. */
function restarts({ failures, failedMs, exitCode, status, run }: Execution): JsonObject {
  if (failures === 0 || failedMs === undefined) return {};
  const waits = status === 'Active' && run === undefined;
  const count = waits || status === 'Failure' ? failures - 1 : failures;
  return { restarts: { count, exitCode: exitCode ?? 0, reason: 'Error', lastRestartTime: timeText(failedMs) } };
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
