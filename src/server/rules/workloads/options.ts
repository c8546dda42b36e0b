import { type JsonObject, objectAt, stringAt } from '../../../schema/json/json.ts';

export function workloadType(workload: JsonObject): string {
  return stringAt(objectAt(workload, 'spec'), 'type') ?? '';
}
