import { fieldIn, isArray, isObject, type JsonObject, type JsonValue, own } from '../../base/json/json.ts';

/** Readers for unchecked records: a value of another type counts as absent. */
export function isTrue(object: JsonObject, key: string): boolean {
  return own(object, key) === true;
}

/** Whether it is present and not the empty object or list, which equal absence (platform/concepts.filled). */
export function holdsSomething(object: JsonObject, key: string): boolean {
  const value = own(object, key);
  if (value === undefined || value === null) return false;
  if (isArray(value)) return value.length > 0;
  return !isObject(value) || Object.keys(value).length > 0;
}

/** An object of a list, with its index. */
export interface Item {
  readonly index: number;
  readonly value: JsonObject;
}

const none: readonly Item[] = [];

/** The objects of the list at `key`; other items are skipped. */
export function itemsAt(object: JsonObject, key: string): readonly Item[] {
  const list = own(object, key);
  if (!isArray(list) || list.length === 0) return none;
  const items: Item[] = [];
  for (const [index, value] of list.entries()) if (isObject(value)) items.push({ index, value });
  return items;
}

/** A text of a list, with its index. */
export interface TextItem {
  readonly index: number;
  readonly value: string;
}

const noTexts: readonly TextItem[] = [];

export function textsAt(object: JsonObject, key: string): readonly TextItem[] {
  const list = own(object, key);
  if (!isArray(list) || list.length === 0) return noTexts;
  const texts: TextItem[] = [];
  for (const [index, value] of list.entries()) if (typeof value === 'string') texts.push({ index, value });
  return texts;
}

/** Whether a tag is true, as boolean or text (platform/concepts.tags). */
export function tagIsTrue(record: JsonObject, key: string): boolean {
  const tags = own(record, 'tags');
  const value = fieldIn(tags, key);
  return value === true || value === 'true';
}

/** A value for a message, on one line and shortened. Never for sensitive values. */
export function show(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** The problem of an object that needs exactly one of two fields; undefined if it has one. */
export function notExactlyOne(
  object: JsonObject,
  fields: readonly [string, string],
  has: (object: JsonObject, field: string) => boolean = Object.hasOwn,
): string | undefined {
  const count = fields.filter((field) => has(object, field)).length;
  const found = count === 0 ? 'neither' : 'both';
  return count === 1 ? undefined : `must have exactly one of ${fields.join(' and ')}, and has ${found}`;
}

/** Calls `found` for each item that repeats an earlier key. */
export function eachRepeated<T>(
  items: readonly T[],
  keyOf: (item: T) => string | undefined,
  found: (item: T, key: string) => void,
): void {
  if (items.length < 2) return;
  const seen = new Set<string>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    if (seen.has(key)) found(item, key);
    seen.add(key);
  }
}
