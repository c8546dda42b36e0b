import type { JsonObject } from '../../../schema/json/json.ts';
import { workloadType } from './options.ts';

/** Stateful replicas are `<workload>-<index>` (platform/lifecycle.replicas); other names contain the version. */
export function replicaNames(workload: JsonObject, name: string, version: number, count: number): readonly string[] {
  const stem = workloadType(workload) === 'stateful' ? name : `${name}-${version}`;
  return Array.from({ length: count }, (_, index) => `${stem}-${index}`);
}
