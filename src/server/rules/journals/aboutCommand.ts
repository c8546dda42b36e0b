import { type JsonObject, type JsonValue, objectAt, own, put, stringAt } from '../../../schema/json/json.ts';
import { lastSegment } from '../../../schema/record/links.ts';

/** Parts of a command in which clients put what they like, also what is secret (platform/commands). */
const left: ReadonlySet<string> = new Set(['containerOverrides', 'env', 'args', 'command']);

/**
 * What the audit trail keeps of a command beside its record (platform/audit.trail): which, of what type, and about
 * what.
 */
export function aboutCommand(id: string, type: string, spec: JsonObject): JsonObject {
  const kept: Record<string, JsonValue> = {};
  for (const name of Object.keys(spec)) {
    const value = own(spec, name);
    if (value !== undefined && !left.has(name)) put(kept, name, value);
  }
  return { id, type, spec: kept };
}

/** Where something was done, as far as it says: `location` and `podId` of the context of an event. */
export function commandLocation(about: JsonObject): { readonly location?: string; readonly podId?: string } {
  const spec = objectAt(about, 'spec');
  const [location, podId] = [stringAt(spec, 'location'), stringAt(spec, 'replica')];
  return {
    ...(location === undefined ? {} : { location: lastSegment(location) }),
    ...(podId === undefined ? {} : { podId }),
  };
}
