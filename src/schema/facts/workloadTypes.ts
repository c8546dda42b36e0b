import { type JsonObject, objectAt, stringAt } from '../../base/json/json.ts';

/** The types of a workload (platform/workload.types). */
export const workloadTypes = ['serverless', 'standard', 'stateful', 'cron', 'vm'] as const;
export type WorkloadType = (typeof workloadTypes)[number];

/** The workload type; if omitted, the one that the platform fills in (platform/concepts.filled). */
export function workloadTypeOf(record: JsonObject): string {
  // An installation may spell it in another case (assumption `value.case`).
  return stringAt(objectAt(record, 'spec'), 'type')?.toLowerCase() ?? 'serverless';
}

/** The metrics that each type scales by. Other types are not scaled by a metric. */
export const metricsByType: Readonly<Partial<Record<WorkloadType, readonly string[]>>> = {
  serverless: ['concurrency', 'cpu', 'memory', 'rps', 'disabled'],
  standard: ['cpu', 'memory', 'rps', 'latency', 'keda', 'disabled'],
  stateful: ['cpu', 'memory', 'rps', 'latency', 'keda', 'disabled'],
};
