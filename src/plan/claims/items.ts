import { isArray, isObject, type JsonArray, type JsonObject, type JsonValue, own, put } from '../../base/json/json.ts';
import { memberKey } from '../../kinds/normalForm/equal.ts';
import { identityOf } from '../../patch/model/identity.ts';
import type { RecordContext } from '../../schema/record/context.ts';
import { type Collection, ownableCollections } from '../../schema/shape/ownableCollections.ts';
import type { ObjectShape, Shape } from '../../schema/shape/shape.ts';
import { type Hash, itemHash } from '../record/ownership.ts';

/** One item of a list or one member of a map. */
export interface Item {
  /** Undefined: the item has no key, so it cannot be owned alone. */
  readonly key: string | undefined;
  readonly value: JsonValue;
}

/** The names of objects and the keys of items that lead to an item. */
export type ItemPath = readonly string[];

/** The same text exactly for the same item; what a part remembers is a hash of it. */
export function placeOf(path: ItemPath): string {
  return path.join('\n');
}

/** The hash by which a claim on a tag is recorded. */
export function tagHash(key: string, hash: Hash): string {
  return itemHash(placeOf(['tags', key]), hash);
}

export function itemsOf(collection: Collection, value: JsonValue | undefined, context: RecordContext): readonly Item[] {
  if (collection.type === 'map') {
    return isObject(value) ? Object.keys(value).map((key) => ({ key, value: own(value, key) ?? null })) : [];
  }
  if (!isArray(value)) return [];
  const keyOf =
    collection.facts.byContent === true ? byContent(collection, context) : byIdentity(collection, value, context);
  return value.map((item) => ({ key: keyOf(item), value: item }));
}

/** The list or map of these items. */
export function collectionOf(collection: Collection, items: readonly Item[]): JsonArray | JsonObject {
  if (collection.type === 'list') return items.map(({ value }) => value);
  const map: Record<string, JsonValue> = {};
  for (const { key, value } of items) if (key !== undefined) put(map, key, value);
  return map;
}

/** The shape of an item. */
function shapeOfItem(collection: Collection): Shape {
  return collection.type === 'list' ? collection.item : collection.value;
}

/** The item at a path; undefined where there is none. */
export function itemAt(
  shape: ObjectShape,
  record: JsonObject,
  path: ItemPath,
  context: RecordContext,
): JsonValue | undefined {
  let at: Shape | undefined = shape;
  let value: JsonValue | undefined = record;
  for (const step of path) {
    if (at?.type === 'object') {
      value = isObject(value) ? own(value, step) : undefined;
      at = at.fields.get(step);
    } else if (at?.type === 'list' || at?.type === 'map') {
      value = itemsOf(at, value, context).find(({ key }) => key === step)?.value;
      at = shapeOfItem(at);
    } else {
      return undefined;
    }
  }
  return value;
}

/** What an item says by itself, without what others own inside it; undefined where there is none. */
export function ownValueAt(
  shape: ObjectShape,
  record: JsonObject,
  path: ItemPath,
  context: RecordContext,
): JsonValue | undefined {
  const value = itemAt(shape, record, path, context);
  const list = path.slice(0, -1).reduce<Shape | undefined>((at, step) => inside(at, step), shape);
  const shared = list?.type === 'list' || list?.type === 'map' ? ownableCollections(list) : undefined;
  if (shared === undefined || shared.size === 0 || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !shared.has(name)));
}

function inside(shape: Shape | undefined, step: string): Shape | undefined {
  if (shape?.type === 'object') return shape.fields.get(step);
  return shape?.type === 'list' || shape?.type === 'map' ? shapeOfItem(shape) : undefined;
}

/**
 * Does a declared item only say where something inside it belongs: `{number: 443, routes: […]}`? Everything else that
 * an item says is claimed with it.
 */
export function saysOnlyWhere(collection: Collection, item: JsonValue): boolean {
  const inside = ownableCollections(collection);
  const { list } = collection.facts;
  if (inside.size === 0 || list?.class !== 'keyed' || !isObject(item)) return false;
  const keys = list.key.parts.flatMap(({ fields }) => fields);
  return Object.keys(item).every((name) => inside.has(name) || keys.includes(name));
}

type KeyOf = (item: JsonValue) => string | undefined;

function byIdentity(collection: Collection, items: JsonArray, context: RecordContext): KeyOf {
  return identityOf(collection, items, context)?.ofItem ?? (() => undefined);
}

function byContent(collection: Collection, context: RecordContext): KeyOf {
  return (item) => contentOf(shapeOfItem(collection), item, context);
}

/** Equal items give equal texts: fields in any order, sets in any order, links in any form. */
function contentOf(shape: Shape, value: JsonValue, context: RecordContext): string {
  if (shape.type === 'object' && isObject(value)) {
    const members = Object.keys(value)
      .sort()
      .flatMap((name) => {
        const member = own(value, name) ?? null;
        const field = shape.fields.get(name);
        return field === undefined || member === null
          ? []
          : [`${JSON.stringify(name)}:${contentOf(field, member, context)}`];
      });
    return `{${members.join(',')}}`;
  }
  if (shape.type === 'list' && isArray(value)) {
    const items = value.map((item) =>
      shape.item.type === 'scalar' ? memberKey(shape, item, context) : contentOf(shape.item, item, context),
    );
    if (shape.facts.list?.class === 'set') items.sort();
    return `[${items.map((text) => JSON.stringify(text)).join(',')}]`;
  }
  return JSON.stringify(value);
}
