import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../../../schema/json.ts';
import { lastSegment } from '../../../schema/links.ts';

/** The local options of a location stand in place of the default ones (specification 2.4). */
export function optionsIn(workload: JsonObject, location: string): JsonObject {
  const spec = objectAt(workload, 'spec');
  const local = listAt(spec, 'localOptions').find(
    (options) => isObject(options) && lastSegment(stringAt(options, 'location') ?? '') === location,
  );
  return isObject(local) ? local : objectAt(spec, 'defaultOptions');
}

export function isSuspendedIn(workload: JsonObject, location: string): boolean {
  return own(optionsIn(workload, location), 'suspend') === true;
}

export function typeOf(workload: JsonObject): string {
  return stringAt(objectAt(workload, 'spec'), 'type') ?? '';
}
