import {
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  listAt,
  mapMembers,
  objectAt,
  own,
  sameJson,
} from '../base/json/json.ts';
import type { Pointer } from '../base/json/pointer.ts';
import { compact, present } from '../base/json/present.ts';
import { valueThere } from '../base/json/valuesAt.ts';
import type { AssumptionId } from '../capabilities/assumptions.ts';
import type { Capabilities } from '../capabilities/capabilities.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import type { RequestBody } from '../manifest/model/body.ts';
import { appliedTag, partTagOf } from '../manifest/model/ownTags.ts';
import type { Change } from '../plan/model/change.ts';
import type { Plan } from '../plan/model/plan.ts';
import { isUnmoved } from '../plan/record/savedRecord.ts';
import type { Ref } from '../schema/record/ref.ts';
import { formatPath, pointerTo } from '../schema/shape/paths.ts';
import type { Run } from './run.ts';

/** The directives of a PATCH that are assumed to work, in the order in which they are given up. */
const forms = [
  { form: 'write.directives', pattern: /^\$(append|patch|retain|drop)\// },
  { form: 'write.replace', pattern: /^\$replace\// },
] as const satisfies readonly { readonly form: AssumptionId; readonly pattern: RegExp }[];

type Form = (typeof forms)[number]['form'];

/**
 * Whether the PATCH uses a form that the platform is known not to honour, because it was planned before that was known.
 */
export function isInUnknownForm({ capabilities, replan }: Run, body: JsonObject): boolean {
  return replan !== undefined && isUnhonoured(capabilities, body);
}

export function isUnhonoured(capabilities: Capabilities, body: JsonObject): boolean {
  return forms.some(({ form, pattern }) => capabilities.isOtherwise(form) && holdsKey(body, pattern));
}

/** The form that the platform may not know, if it refuses this PATCH; undefined if it honours all that is in it. */
export function formOf({ capabilities, replan }: Run, body: JsonObject): Form | undefined {
  return replan === undefined ? undefined : unknownForm(capabilities, body);
}

export function unknownForm(capabilities: Capabilities, body: JsonObject): Form | undefined {
  if (capabilities.of('write.directives') === 'holds') return undefined;
  return forms.find(({ form, pattern }) => capabilities.of(form) === undefined && holdsKey(body, pattern))?.form;
}

function holdsKey(value: JsonValue, pattern: RegExp): boolean {
  if (isArray(value)) return value.some((item) => holdsKey(item, pattern));
  if (!isObject(value)) return false;
  return Object.entries(value).some(([key, inside]) => pattern.test(key) || holdsKey(inside, pattern));
}

/** The record without directives that the platform has stored as fields. */
export function withoutDirectives(record: JsonObject): JsonObject {
  return mapMembers(record, (value, key) => (key.startsWith('$') ? undefined : cleaned(value)));
}

/**
 * The stored record without directives, with the mark that this stack had left before the write. For a part, only that
 * mark names the items that the write removes. For a record in which nothing else has changed, only that mark shows
 * which values the platform had stored in its own way.
 */
export function withClaimsOf(
  base: LiveResource | undefined,
  { stack, org }: Plan,
  change: Change,
  stored: LiveResource,
): LiveResource {
  const record = withoutDirectives(stored.record);
  const clean = { ...stored, record };
  const key = change.part === true ? partTagOf(stack) : appliedTag;
  if (base === undefined || key === undefined) return clean;
  const before = own(objectAt(base.record, 'tags'), key);
  const tags = mapMembers(objectAt(record, 'tags'), (value, name) => (name === key ? undefined : value));
  const former = { ...stored, record: { ...record, tags: before === undefined ? tags : { ...tags, [key]: before } } };
  return change.part === true || isUnmoved(base, former, org) ? former : clean;
}

/** Whether a record has directives stored as fields, or a body contains some. */
export function holdsDirectives(record: JsonObject): boolean {
  return directivesIn(record).length > 0;
}

/** The dotted paths of directives. */
export function directivesIn(value: JsonValue, at = ''): readonly string[] {
  if (!isArray(value) && !isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inside]) =>
    key.startsWith('$') ? [`${at}${key}`] : directivesIn(inside, `${at}${key}.`),
  );
}

function cleaned(value: JsonValue): JsonValue {
  if (isArray(value)) return value.map(cleaned);
  return isObject(value) ? withoutDirectives(value) : value;
}

/** The values that a body sets, with plain fields instead of their directives. */
export function plainOf(body: JsonObject): JsonObject {
  const plain = (value: JsonValue): JsonValue =>
    isArray(value) ? value.map(plain) : isObject(value) ? plainOf(value) : value;
  const made = new Map<string, JsonValue>();
  for (const [key, value] of Object.entries(body)) {
    const name = key.replace(/^\$[a-z]+\//, '');
    const [before, each] = [made.get(name), plain(value)];
    made.set(name, isArray(before) && isArray(each) ? [...before, ...each] : each);
  }
  return Object.fromEntries(made);
}

/** The paths of lists that were sent without directives, and that the platform has appended to the existing ones. */
export function joinedLists(ref: Ref, body: JsonObject, before: JsonObject, stored: JsonObject): readonly string[] {
  const listIn = (record: JsonObject, path: string): JsonArray => {
    const at = pointerTo(path, shapeOf(ref.kind, record), record);
    const value = at === undefined ? undefined : valueThere(record, at);
    return isArray(value) ? value : [];
  };
  return listsIn(body).flatMap((at) => {
    const path = formatPath(shapeOf(ref.kind, body), body, at);
    const [sent, old] = [valueThere(body, at), listIn(before, path)];
    const isJoined = isArray(sent) && old.length > 0 && sameJson(listIn(stored, path), [...old, ...sent]);
    return isJoined ? [path] : [];
  });
}

/** The pointers of all lists, including lists within lists. */
function listsIn(value: JsonValue, at: Pointer = []): readonly Pointer[] {
  if (isArray(value)) return [at, ...value.flatMap((item, index) => listsIn(item, [...at, index]))];
  return isObject(value) ? Object.entries(value).flatMap(([key, each]) => listsIn(each, [...at, key])) : [];
}

/** The PATCH that also drops directives that the platform has stored as fields, perhaps in an earlier run. */
export function withDrops(body: RequestBody, stored: JsonObject): RequestBody {
  return { ...body, ...dropsFor(body, stored) };
}

function dropsFor(body: JsonObject, stored: JsonObject): JsonObject {
  const names = Object.keys(stored).filter((key) => forms.some(({ pattern }) => pattern.test(key)));
  const inside = compact(Object.entries(stored), ([key, held]) => {
    if (!isObject(held) || own(body, `$replace/${key}`) !== undefined) return undefined;
    const before = own(body, key);
    const base = isObject(before) ? before : {};
    const more = dropsFor(base, held);
    return Object.keys(more).length === 0 ? undefined : ([key, { ...base, ...more }] as const);
  });
  return {
    ...Object.fromEntries(inside),
    ...present({ $drop: names.length === 0 ? undefined : [...listAt(body, '$drop'), ...names] }),
  };
}
