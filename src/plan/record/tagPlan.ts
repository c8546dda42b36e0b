import { appliedTag, ownerTag } from '../../manifest/model/ownTags.ts';
import { type JsonObject, type JsonValue, own, put } from '../../schema/json/json.ts';
import { protectedTag } from '../../schema/record/protection.ts';
import { replacingTag } from './replacementMark.ts';

export interface TagInput {
  readonly desired: JsonObject;
  readonly live: JsonObject;
  /** `lifecycle.protect`. */
  readonly protect: boolean | undefined;
  /** Did this stack set the key by an earlier write? */
  readonly wasSet: (key: string) => boolean;
  /** Is the key under `lifecycle.ignore`? */
  readonly ignored: (key: string) => boolean;
}

export interface TagPlan {
  /** To be written, because live differs. */
  readonly set: JsonObject;
  readonly drop: readonly string[];
  /** The keys that this stack owns from now on; they are recorded with the next write. */
  readonly keys: readonly string[];
  /** All tags after the write, without the two of our own. */
  readonly result: JsonObject;
}

/**
 * Tags are three-way: a recorded key that is no longer declared is removed, a foreign one stays.
 * Values are compared as text (platform/concepts.tags). The guard stays until `protect: false` is applied.
 */
export function planTags({ desired, live, protect, wasSet, ignored }: TagInput): TagPlan {
  const declared = declaredTags(desired, protect);
  if (Object.keys(declared).length === 0 && !hasOthers(live)) return nothing;
  const set: Record<string, JsonValue> = {};
  const drop: string[] = [];
  const keys: string[] = [];
  const result: Record<string, JsonValue> = {};

  for (const key of Object.keys(live).sort()) {
    const value = live[key];
    if (value === undefined || key === ownerTag || key === appliedTag) continue;
    if (key === replacingTag) {
      drop.push(key); // of a replacement that was given up
    } else if (Object.hasOwn(declared, key) || ignored(key)) {
      put(result, key, value);
    } else if (key === protectedTag ? protect === false : wasSet(key)) {
      drop.push(key);
    } else {
      put(result, key, value);
      if (key === protectedTag && wasSet(key)) keys.push(key);
    }
  }
  for (const key of Object.keys(declared).sort()) {
    if (ignored(key)) continue;
    keys.push(key);
    const value = declared[key];
    const before = own(live, key);
    if (value === undefined || (before !== undefined && before !== null && String(before) === String(value))) continue;
    put(set, key, value);
    put(result, key, value);
  }
  return { set, drop, keys, result };
}

const nothing: TagPlan = { set: {}, drop: [], keys: [], result: {} };

/** Most resources carry our own two tags and no other. */
function hasOthers(live: JsonObject): boolean {
  for (const key in live) if (key !== ownerTag && key !== appliedTag) return true;
  return false;
}

/** The tags of a record that is not there yet: those declared, and the guard. */
export function declaredTags(desired: JsonObject, protect: boolean | undefined): JsonObject {
  const tags: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(desired)) {
    if (value !== null && !(key === protectedTag && protect === false)) put(tags, key, value);
  }
  if (protect === true) put(tags, protectedTag, 'true');
  return tags;
}

/** The `tags` member of a PATCH, in whichever form is shorter; undefined when nothing differs. */
export function tagPatch(set: JsonObject, drop: readonly string[]): JsonObject | undefined {
  if (drop.length === 0 && Object.keys(set).length === 0) return undefined;
  const patch: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(set)) put(patch, key, value);
  if (drop.length > 2) patch['$drop'] = drop;
  else for (const key of drop) put(patch, key, null);
  return patch;
}
