import { isObject, type JsonObject, type JsonValue, own, put } from '../../base/json/json.ts';
import { ownTagPrefix } from '../model/ownTags.ts';

/**
 * Tags that the platform writes by itself under its own prefix (platform/concepts.tags); other tags there are a
 * person's.
 */
const platformTags: ReadonlySet<string> = new Set(
  ['deployTimestamp', 'aws', 'azure', 'gcp', 'docker', 'tls', 'city', 'country', 'continent', 'state', 'protected'].map(
    (name) => `scheme/${name}`,
  ),
);

/** No patch can write it: it would be read as a directive (platform/patch.merge). */
export function isUnwritable(tag: string): boolean {
  return tag.startsWith('$');
}

/** The tags that a person wrote and may write: without those of Gantry and of the platform. */
export function userTags(record: JsonObject): JsonObject {
  const tags = own(record, 'tags');
  const result: Record<string, JsonValue> = {};
  if (!isObject(tags)) return result;
  for (const key of Object.keys(tags).sort()) {
    const value = tags[key];
    if (value === undefined || value === null || isUnwritable(key)) continue;
    if (!key.startsWith(ownTagPrefix) && !platformTags.has(key)) put(result, key, value);
  }
  return result;
}
