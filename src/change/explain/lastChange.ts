import { type JsonObject, type JsonValue, numberAt, sameJson } from '../../base/json/json.ts';
import { valueThere } from '../../base/json/valuesAt.ts';
import type { WriteEvent } from '../../manifest/live/writer.ts';
import { versionAfter } from '../../plan/record/version.ts';
import { matchPath } from '../../schema/shape/paths.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';

/**
 * The write that last changed the field: the newest one whose record has another value there than the record before it.
 * Undefined if the audit trail cannot tell: it cannot be read, is too short, lacks a version, or ends with another
 * value than the live one.
 *
 * `writes`: newest first. The trail contains no secrets, so it says nothing about sensitive fields.
 */
export function lastChange(
  path: string,
  shape: ObjectShape,
  live: JsonObject,
  writes: readonly WriteEvent[] | undefined,
): WriteEvent | undefined {
  const liveVersion = numberAt(live, 'version') ?? Number.POSITIVE_INFINITY;
  // Writes after the record was read are not in it.
  const records = (writes ?? []).filter(
    ({ action, version }) => (action === 'create' || action === 'edit') && version <= liveVersion,
  );
  const value = valueIn(path, shape, live);
  const [newest] = records;
  if (newest === undefined || !sameJson(valueIn(path, shape, newest.record), value)) return undefined;
  for (const [index, write] of records.entries()) {
    const before = records[index + 1];
    // A value that never existed was not removed by anyone.
    if (before === undefined) return write.action === 'create' && value !== undefined ? write : undefined;
    if (sameJson(valueIn(path, shape, before.record), value)) continue;
    // A version that the trail leaves out may have been the one.
    return versionAfter(before.version) === write.version ? write : undefined;
  }
  return undefined;
}

function valueIn(path: string, shape: ObjectShape, record: JsonObject): JsonValue | undefined {
  const [pointer] = matchPath(path, shape, record);
  return pointer === undefined ? undefined : valueThere(record, pointer);
}
