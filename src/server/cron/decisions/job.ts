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

/** The settings of a cron workload for its executions, with defaults (platform/workload.job). */
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

const usualHistory = 5;

interface Workload {
  readonly record: JsonObject;
  readonly name: string;
  readonly version: number;
}

/** Undefined for a workload of another type. */
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
    historyLimit: numberAt(job, 'historyLimit') ?? usualHistory,
    repeats: own(job, 'restartPolicy') === 'OnFailure',
    deadlineSeconds: numberAt(job, 'activeDeadlineSeconds'),
    // Cron workloads have no local options, so this applies to all locations.
    suspended: own(objectAt(spec, 'defaultOptions'), 'suspend') === true,
    containers: listAt(spec, 'containers'),
  };
}

/** The fields of each container, replaced by those of an override of the same name. */
export function containersRun({ containers }: CronJob, overrides: JsonArray): JsonObject {
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
