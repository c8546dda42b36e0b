import { type JsonObject, objectAt, stringAt } from '../../../schema/json/json.ts';

export function typeOf(workload: JsonObject): string {
  return stringAt(objectAt(workload, 'spec'), 'type') ?? '';
}
