import type { WriteEvent } from '../../manifest/live/writer.ts';
import { type JsonObject, type JsonValue, numberAt, sameJson } from '../../schema/json/json.ts';
import { matchPath } from '../../schema/shape/paths.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import { valueAt } from '../record/shapeFacts.ts';

/**
 * The write by which the field last became what it is: the newest one whose record has another value there than the
 * record before it. Undefined where the trail does not say it: it cannot be read, it is too short, it leaves
 * out a version, or it tells of another value than the live one.
 *
 * `writes`: newest first. Records of the trail hold no secrets, so of a sensitive field nothing can be said.
 */
export function lastChange(
  path: string,
  shape: ObjectShape,
  live: JsonObject,
  writes: readonly WriteEvent[] | undefined,
): WriteEvent | undefined {
  const liveVersion = numberAt(live, 'version') ?? Number.POSITIVE_INFINITY;
  // What was written after the record was read is not what it holds.
  const records = (writes ?? []).filter(
    ({ action, version }) => (action === 'create' || action === 'edit') && version <= liveVersion,
  );
  const value = valueIn(path, shape, live);
  const [newest] = records;
  if (newest === undefined || !sameJson(valueIn(path, shape, newest.record), value)) return undefined;
  for (const [index, write] of records.entries()) {
    const before = records[index + 1];
    // What was never there, nobody removed.
    if (before === undefined) return write.action === 'create' && value !== undefined ? write : undefined;
    if (sameJson(valueIn(path, shape, before.record), value)) continue;
    // A version that the trail leaves out may have been the one.
    return before.version === write.version - 1 ? write : undefined;
  }
  return undefined;
}

function valueIn(path: string, shape: ObjectShape, record: JsonObject): JsonValue | undefined {
  const [pointer] = matchPath(path, shape, record);
  return pointer === undefined ? undefined : valueAt(record, pointer);
}
