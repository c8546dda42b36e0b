import { type JsonObject, type JsonValue, own, put } from '../../base/json/json.ts';
import { appliedTag, ownerTag } from '../../manifest/model/ownTags.ts';
import { protectedTag } from '../../schema/record/protection.ts';
import type { Hold } from '../record/ownership.ts';
import { replacingTag } from '../record/replacementMark.ts';
import { type Claim, mayRemove, ruleDeclared } from './claims.ts';

export interface TagInput {
  readonly desired: JsonObject;
  readonly live: JsonObject;
  /** `lifecycle.protect`. */
  readonly protect: boolean | undefined;
  readonly claim: (key: string) => Claim;
  /** The tag of a part that this stack had of the record: the owner of the whole needs none. */
  readonly partTag?: string | undefined;
  /** Is the key under `lifecycle.ignore`? */
  readonly ignored: (key: string) => boolean;
}

export interface TagPlan {
  /** To be written, because live differs. */
  readonly set: JsonObject;
  readonly drop: readonly string[];
  /** The keys that this stack claims from now on; they are recorded with the next write. */
  readonly keys: readonly string[];
  /** How it claims one of them. */
  readonly holdOf: (key: string) => Hold;
  /** Keys that are no longer declared and stay, because others claim them or were first: the claim on them ends. */
  readonly released: readonly string[];
  /** All tags after the write, without the two of our own. */
  readonly result: JsonObject;
}

/**
 * Tags are three-way: a claimed key that is no longer declared is removed, unless others claim it too; a foreign one stays.
 * Values are compared as text (platform/concepts.tags). The guard stays until `protect: false` is applied.
 */
export function planTags({ desired, live, protect, claim, partTag, ignored }: TagInput): TagPlan {
  const declared = declaredTags(desired, protect);
  if (Object.keys(declared).length === 0 && !hasOthers(live)) return nothing;
  const set: Record<string, JsonValue> = {};
  const drop: string[] = [];
  const keys: string[] = [];
  const released: string[] = [];
  const result: Record<string, JsonValue> = {};

  for (const key of Object.keys(live).sort()) {
    const value = live[key];
    if (value === undefined || key === ownerTag || key === appliedTag) continue;
    if (key === replacingTag || key === partTag) {
      drop.push(key); // of a replacement that was given up, or of a part
    } else if (Object.hasOwn(declared, key) || ignored(key)) {
      put(result, key, value);
    } else if (key === protectedTag) {
      if (protect === false) drop.push(key);
      else put(result, key, value);
      if (protect !== false && claim(key).mine !== undefined) keys.push(key);
    } else {
      const claimed = claim(key);
      if (mayRemove(claimed)) drop.push(key);
      else put(result, key, value);
      if (claimed.mine !== undefined && !mayRemove(claimed)) released.push(key);
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
  const holdOf = (key: string): Hold =>
    Object.hasOwn(set, key) ? 'set' : ruleDeclared(claim(key), own(live, key) !== undefined, false).hold;
  return { set, drop, keys, holdOf, released, result };
}

const nothing: TagPlan = { set: {}, drop: [], keys: [], holdOf: () => 'set', released: [], result: {} };

/** Most resources carry our own two tags and no other. */
function hasOthers(live: JsonObject): boolean {
  for (const key in live) if (key !== ownerTag && key !== appliedTag) return true;
  return false;
}

/** Tags are compared as text (platform/concepts.tags): equal values keep their spelling. */
export function asSpelled(tags: JsonObject, live: JsonObject): JsonObject {
  const spelled: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(tags)) {
    const before = own(live, key);
    put(spelled, key, before !== undefined && String(before) === String(value) ? before : value);
  }
  return spelled;
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

/**
 * The `tags` member of a PATCH; undefined when nothing differs. Removed by `$drop`: that a null removes is only our
 * reading (platform/patch.directives).
 */
export function tagPatch(set: JsonObject, drop: readonly string[]): JsonObject | undefined {
  if (drop.length === 0 && Object.keys(set).length === 0) return undefined;
  const patch: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(set)) put(patch, key, value);
  if (drop.length > 0) patch['$drop'] = drop;
  return patch;
}
