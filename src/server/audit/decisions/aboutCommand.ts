import { type JsonObject, mapMembers, objectAt, stringAt } from '../../../base/json/json.ts';
import { present } from '../../../base/json/present.ts';
import { lastSegment } from '../../../schema/record/ref.ts';

/** Parts of a command with arbitrary content of clients, possibly secret (platform/commands). */
const unrecorded: ReadonlySet<string> = new Set(['containerOverrides', 'env', 'args', 'command']);

/** The data of a command for the audit trail (platform/audit.trail): its id, type and subject. */
export function aboutCommand(id: string, type: string, spec: JsonObject): JsonObject {
  return { id, type, spec: mapMembers(spec, (value, name) => (unrecorded.has(name) ? undefined : value)) };
}

/** The location of a command, if it has one: `location` and `podId` of the context of an event. */
export function commandLocation(about: JsonObject): { readonly location?: string; readonly podId?: string } {
  const spec = objectAt(about, 'spec');
  const [location, podId] = [stringAt(spec, 'location'), stringAt(spec, 'replica')];
  return {
    ...(location === undefined ? {} : { location: lastSegment(location) }),
    ...present({ podId }),
  };
}
