import { isArray, isObject, type JsonArray, type JsonObject, type JsonValue, own } from '../../base/json/json.ts';
import { compact } from '../../base/json/present.ts';
import { onceForObject } from '../../base/once.ts';
import type { ListClass, ListKey } from '../facts/fieldFacts.ts';
import { lastSegment } from '../record/ref.ts';
import type { ListShape, ObjectShape, Shape } from './shape.ts';

/** Between the parts of a key (`tcp+443`). */
const separator = '+';

const sequence: ListClass = { class: 'sequence' };

/** The key of a list item; undefined if a required part is missing. */
export function itemKey(key: ListKey, item: JsonObject): string | undefined {
  let text = '';
  let first = true;
  for (const { fields, optional, otherwise } of key.parts) {
    const part = keyPart(fields, item) ?? otherwise;
    if (part === undefined) {
      if (optional === true) continue;
      return undefined;
    }
    text = first ? part : `${text}${separator}${part}`;
    first = false;
  }
  if (first) return undefined;
  return comparableKey(key, text);
}

const none: readonly string[] = [];

/** The fields that identify list items; none if the list has no key. */
export const keyFields = onceForObject(({ facts: { list } }: Shape): readonly string[] =>
  list?.class === 'keyed' ? list.key.parts.flatMap(({ fields }) => fields) : none,
);

/** The key in a form for comparison. */
export function comparableKey({ compare }: ListKey, text: string): string {
  if (compare === 'lastSegment') return lastSegment(text);
  if (compare === 'upperCase') return text.toUpperCase();
  return compare === 'ignoreCase' ? text.toLowerCase() : text;
}

/**
 * The key with the names of its fields: a `prefix` and a `regex` of the same text are two items, although directives
 * cannot distinguish them.
 */
export function identifyingKey(key: ListKey, item: JsonObject): string | undefined {
  const text = itemKey(key, item);
  if (text === undefined) return undefined;
  let named = '';
  for (const { fields } of key.parts) {
    if (fields.length > 1) named += `${fields.find((field) => keyPart([field], item) !== undefined) ?? fields[0]} `;
  }
  return named === '' ? text : `${named}${text}`;
}

/** Whether the item states its own key. A default cannot address an item (platform/patch.list-keys). */
export function namesItself(key: ListKey, item: JsonObject): boolean {
  return key.parts.every(({ fields, optional }) => optional === true || keyPart(fields, item) !== undefined);
}

function keyPart(fields: readonly string[], item: JsonObject): string | undefined {
  for (const field of fields) {
    const value = own(item, field);
    if (typeof value === 'string') return value;
    if (typeof value === 'number') return String(value);
  }
  return undefined;
}

/** The items by key; undefined if a key is missing or repeated. */
export function itemsByKey(key: ListKey, items: JsonArray): ReadonlyMap<string, JsonObject> | undefined {
  const found = new Map<string, JsonObject>();
  for (const item of items) {
    const name = isObject(item) ? itemKey(key, item) : undefined;
    if (name === undefined || !isObject(item) || found.has(name)) return undefined;
    found.set(name, item);
  }
  return found;
}

/**
 * How to compare two versions of a list. A keyed list is a sequence if an item makes it one (domain routes with a
 * `regex`), or if its keys are not unique on both sides.
 */
export function effectiveList(shape: ListShape, a: JsonArray, b: JsonArray): ListClass {
  const list = shape.facts.list ?? sequence;
  if (list.class !== 'keyed') return list;
  const { key, sequenceIfAny } = list;
  if (sequenceIfAny !== undefined && (hasAny(a, sequenceIfAny) || hasAny(b, sequenceIfAny))) return sequence;
  return itemsByKey(key, a) === undefined || itemsByKey(key, b) === undefined ? sequence : list;
}

function hasAny(items: JsonArray, fields: readonly string[]): boolean {
  return items.some((item) => holdsAny(item, fields));
}

/** Whether the item has one of the fields: null and the empty list count as absent (platform/concepts.filled). */
export function holdsAny(item: JsonValue, fields: readonly string[]): boolean {
  if (!isObject(item)) return false;
  return fields.some((field) => {
    const value = own(item, field) ?? null;
    return value !== null && !(isArray(value) && value.length === 0);
  });
}

/** The key of the first item with one of the fields (`firstWith`). */
export function firstKeyWith(key: ListKey, items: JsonArray, fields: readonly string[]): string | undefined {
  const first = items.find((item) => holdsAny(item, fields));
  return isObject(first) ? itemKey(key, first) : undefined;
}

/** A field that abbreviates a sibling list with one item (`shortFor` of the facts). */
interface Shorthand {
  readonly name: string;
  readonly list: string;
  /** The field of the item that contains the value. */
  readonly key: string;
}

export const shorthandsOf = onceForObject((shape: ObjectShape): readonly Shorthand[] =>
  compact([...shape.fields], ([name, { facts }]) => {
    const list = facts.shortFor;
    const classOf = list === undefined ? undefined : shape.fields.get(list)?.facts.list;
    const key = classOf?.class === 'keyed' ? classOf.key.parts[0]?.fields[0] : undefined;
    return list === undefined || key === undefined ? undefined : { name, list, key };
  }),
);

/**
 * The object with its shorthands expanded: `port: 80` as `ports: [{number: 80}]`. The same object if it has none, or
 * has a shorthand together with a non-empty list (ambiguous, so rule W3 refuses it).
 */
export function writtenOut(shape: ObjectShape, object: JsonObject): JsonObject {
  let written = object;
  for (const { name, list, key } of shorthandsOf(shape)) {
    const value = own(written, name) ?? null;
    if (value === null || !isEmptyList(written, list)) continue;
    const { [name]: _, ...rest } = written;
    written = { ...rest, [list]: [{ [key]: value }] };
  }
  return written;
}

function isEmptyList(object: JsonObject, name: string): boolean {
  const value = own(object, name) ?? null;
  return value === null || (isArray(value) && value.length === 0);
}
