import { type JsonObject, type JsonValue, objectAt, own, put, stringAt } from '../../../schema/json/json.ts';
import { lastSegment } from '../../../schema/record/links.ts';

/** Parts of a command with arbitrary content of clients, possibly secret (platform/commands). */
const left: ReadonlySet<string> = new Set(['containerOverrides', 'env', 'args', 'command']);

/** The data of a command for the audit trail (platform/audit.trail): its id, type and subject. */
export function aboutCommand(id: string, type: string, spec: JsonObject): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const name of Object.keys(spec)) {
    const value = own(spec, name);
    if (value !== undefined && !left.has(name)) put(result, name, value);
  }
  return { id, type, spec: result };
}

/** The location of a command, if it has one: `location` and `podId` of the context of an event. */
export function commandLocation(about: JsonObject): { readonly location?: string; readonly podId?: string } {
  const spec = objectAt(about, 'spec');
  const [location, podId] = [stringAt(spec, 'location'), stringAt(spec, 'replica')];
  return {
    ...(location === undefined ? {} : { location: lastSegment(location) }),
    ...(podId === undefined ? {} : { podId }),
  };
}
