import {
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  own,
  sameJson,
} from '../base/json/json.ts';
import { jsonIn, parseJsonText } from '../base/json/jsonText.ts';
import { compact } from '../base/json/present.ts';
import { ipv6Groups } from '../base/text/ipv6.ts';
import { quantityValue } from '../base/text/quantity.ts';
import type { FieldFacts } from '../schema/facts/fieldFacts.ts';
import { expandLink, lastSegment, type RecordContext } from '../schema/record/ref.ts';
import { effectiveList, firstKeyWith, itemsByKey, shorthandsOf, writtenOut } from '../schema/shape/listKey.ts';
import {
  fieldShape,
  type ListShape,
  type MapShape,
  type ObjectShape,
  type ScalarShape,
  type Shape,
} from '../schema/shape/shape.ts';
import { blockKey, canonicalText, ofItsType, plainWord } from './normalise.ts';

/**
 * Whether two values mean the same (platform/concepts.filled, platform/concepts.rewritten). Quantities by value, links
 * in any form, sets in any order, keyed lists by key, JSON text as JSON, shorthands expanded.
 *
 * Absent equals the constant default, and an empty list, map or object, unless its presence has a meaning. Absent does
 * not equal a value that the platform chose (`service`) or derived: only callers know which side was written.
 * Response-only fields are never compared; a field unknown to the schema only if both sides have it.
 */
export function equalValues(
  shape: Shape,
  a: JsonValue | undefined,
  b: JsonValue | undefined,
  context: RecordContext,
): boolean {
  if (a === b || shape.facts.responseOnly === true) return true;
  if (shape.facts.orJsonText === true) {
    const [left, right] = [parsedIfJson(a), parsedIfJson(b)];
    if (left !== a || right !== b) return equalValues(shape, left, right, context);
  }
  if (a === undefined) return b === undefined || equalsAbsent(shape, b, context);
  if (b === undefined) return equalsAbsent(shape, a, context);
  switch (shape.type) {
    case 'scalar':
      return equalScalars(shape, a, b, context);
    case 'object':
      return isObject(a) && isObject(b) ? equalObjects(shape, a, b, context) : sameJson(a, b);
    case 'map':
      return isObject(a) && isObject(b) ? equalMaps(shape, a, b, context) : sameJson(a, b);
    case 'list':
      return isArray(a) && isArray(b) ? equalLists(shape, a, b, context) : sameJson(a, b);
    case 'free':
      return sameJson(a, b);
  }
}

/** The value of a text that the platform may parse as JSON (platform/clients.settable). */
function parsedIfJson(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === 'string' ? parseJsonText(value) : value;
}

/** Whether omitting the field means this value. */
function equalsAbsent(shape: Shape, value: JsonValue, context: RecordContext): boolean {
  const { facts } = shape;
  if (value === null) return facts.asText !== true;
  if (shape.type === 'object') return isObject(value) && facts.presence !== true && isLikeAbsent(shape, value, context);
  if (hasFixedDefault(facts) && facts.default !== undefined) {
    return isEmpty(value) ? isEmpty(facts.default) : equalValues(shape, facts.default, value, context);
  }
  if (facts.emptyIsAbsent === true && value === '') return true;
  return facts.presence !== true && isEmpty(value);
}

function hasFixedDefault({ fill }: FieldFacts): boolean {
  return fill === 'constant' || fill === 'irremovable' || fill === 'operational';
}

export function isEmpty(value: JsonValue): boolean {
  return isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

function isLikeAbsent(shape: ObjectShape, object: JsonObject, context: RecordContext): boolean {
  return Object.keys(object).every((name) => {
    const field = shape.fields.get(name);
    return field !== undefined && equalValues(field, undefined, own(object, name), context);
  });
}

function equalScalars(shape: ScalarShape, a: JsonValue, b: JsonValue, context: RecordContext): boolean {
  const { facts } = shape;
  if (typeof a === 'object' || typeof b === 'object') return sameJson(a, b); // of the wrong type
  if (facts.asText === true) return String(a) === String(b);
  if (facts.quantity !== undefined) return equalQuantities(a, b);
  if (typeof a !== typeof b) return ofItsType(shape, a) === ofItsType(shape, b);
  if (typeof a !== 'string' || typeof b !== 'string') return false;
  if (facts.jsonText === true) return equalJsonTexts(a, b);
  if (facts.link?.orName === true) return lastSegment(a) === lastSegment(b);
  const [left, right] = [canonicalText(a, facts, context), canonicalText(b, facts, context)];
  if (left === right) return true;
  if (shape.words !== undefined) return plainWord(left) === plainWord(right);
  return facts.ignoreCase === true && left.toLowerCase() === right.toLowerCase();
}

function equalQuantities(a: JsonValue, b: JsonValue): boolean {
  if ((typeof a !== 'string' && typeof a !== 'number') || (typeof b !== 'string' && typeof b !== 'number'))
    return false;
  const amount = quantityValue(a);
  return amount !== undefined && amount === quantityValue(b);
}

function equalJsonTexts(a: string, b: string): boolean {
  const [left, right] = [jsonIn(a), jsonIn(b)];
  return left !== undefined && right !== undefined && sameJson(left, right);
}

function equalObjects(shape: ObjectShape, left: JsonObject, right: JsonObject, context: RecordContext): boolean {
  return equalFields(shape, writtenOut(shape, left), writtenOut(shape, right), context);
}

function equalFields(shape: ObjectShape, a: JsonObject, b: JsonObject, context: RecordContext): boolean {
  const names = Object.keys(a);
  let inBoth = 0;
  for (const name of names) {
    const [left, right] = [own(a, name), own(b, name)];
    if (right !== undefined) inBoth += 1;
    if (left === right) continue;
    const field = fieldShape(shape, name);
    if (field !== undefined) {
      if (!equalValues(field, left, right, context)) return false;
    } else if (right !== undefined && !sameJson(left, right)) return false;
  }
  const others = Object.keys(b);
  if (others.length === inBoth) return true;
  return others.every((name) => {
    const field = Object.hasOwn(a, name) ? undefined : fieldShape(shape, name);
    return field === undefined || equalValues(field, undefined, own(b, name), context);
  });
}

function equalMaps(shape: MapShape, a: JsonObject, b: JsonObject, context: RecordContext): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equalMembers(shape.value, own(a, key), own(b, key), context))
  );
}

/** Maps and lists have no omitted members, so no default applies. */
function equalMembers(
  shape: Shape,
  a: JsonValue | undefined,
  b: JsonValue | undefined,
  context: RecordContext,
): boolean {
  return a !== undefined && b !== undefined && equalValues(shape, a, b, context);
}

function equalLists(shape: ListShape, a: JsonArray, b: JsonArray, context: RecordContext): boolean {
  if (equalInOrder(shape, a, b, context)) return true; // equal in every class; the usual case
  const list = effectiveList(shape, a, b);
  switch (list.class) {
    case 'sequence':
      return shape.facts.byContent === true && a.length === b.length && haveSame(shape, a, b, context);
    case 'set':
      return haveSame(shape, a, b, context);
    case 'keyed': {
      const left = itemsByKey(list.key, a);
      const right = itemsByKey(list.key, b);
      if (left === undefined || right === undefined || left.size !== right.size) return false;
      if (list.firstWith !== undefined) {
        const [first, other] = [firstKeyWith(list.key, a, list.firstWith), firstKeyWith(list.key, b, list.firstWith)];
        if (first !== other) return false;
      }
      return [...left].every(([key, item]) => equalMembers(shape.item, item, right.get(key), context));
    }
  }
}

function equalInOrder(shape: ListShape, a: JsonArray, b: JsonArray, context: RecordContext): boolean {
  return a.length === b.length && a.every((item, index) => equalMembers(shape.item, item, b[index], context));
}

function haveSame(shape: ListShape, a: JsonArray, b: JsonArray, context: RecordContext): boolean {
  return isSubset(shape, a, b, context) && isSubset(shape, b, a, context);
}

function isSubset(shape: ListShape, a: JsonArray, b: JsonArray, context: RecordContext): boolean {
  if (shape.item.type !== 'scalar') {
    return a.every((item) => b.some((other) => equalMembers(shape.item, item, other, context)));
  }
  const keys = new Set(b.map((item) => memberKey(shape, item, context)));
  return a.every((item) => keys.has(memberKey(shape, item, context)));
}

/** A text that is equal exactly for equal members of a set. */
export function memberKey(shape: ListShape, item: JsonValue, context: RecordContext): string {
  if (typeof item !== 'string') return `${typeof item} ${JSON.stringify(item)}`;
  if (shape.facts.canonical === 'cidrs') return blockKey(item);
  if (shape.item.type === 'scalar' && shape.item.words !== undefined) return plainWord(item);
  return canonicalText(item, shape.item.facts, context);
}

/**
 * Writes the object's shorthands as in `model` if both mean the same: `port: 80` was declared, and the platform returns
 * `ports: [{number: 80}]` (platform/concepts.filled), which is no difference.
 */
export function alignShorthands(
  model: JsonObject,
  shape: ObjectShape,
  object: JsonObject,
  context: RecordContext,
): JsonObject {
  let formed = object;
  for (const { name, list } of shorthandsOf(shape)) {
    if (Object.hasOwn(model, name) === Object.hasOwn(formed, name)) continue;
    const field = shape.fields.get(list);
    const [there, here] = [own(writtenOut(shape, model), list), own(writtenOut(shape, formed), list)];
    if (field === undefined || there === undefined || here === undefined) continue;
    if (equalValues(field, there, here, context)) formed = withFieldsOf(model, [name, list], formed);
  }
  return formed;
}

function withFieldsOf(model: JsonObject, names: readonly string[], object: JsonObject): JsonObject {
  const others = Object.entries(object).filter(([name]) => !names.includes(name));
  const taken = compact(names, (name) => {
    const value = own(model, name);
    return value === undefined ? undefined : ([name, value] as const);
  });
  return Object.fromEntries([...others, ...taken]);
}

/**
 * The shortest text for the same link: `//identity/x` in its own GVC, `//secret/x` in its own org
 * (platform/concepts.links).
 */
export function shortLink(shape: ScalarShape, text: string, context: RecordContext): string {
  if (!text.includes('/')) return text; // most texts are not links
  const { org, gvc } = context;
  const full = expandLink(text, context);
  if (!full.startsWith('/org/')) return text;
  const own = gvc === undefined ? undefined : withoutPrefix(full, `/org/${org}/gvc/${gvc}/`);
  const candidates = compact([own, withoutPrefix(full, `/org/${org}/`)], (rest) =>
    rest === undefined ? undefined : `//${rest}`,
  );
  return candidates.find((candidate) => equalValues(shape, candidate, text, context)) ?? text;
}

function withoutPrefix(text: string, prefix: string): string | undefined {
  return text.startsWith(prefix) ? text.slice(prefix.length) : undefined;
}

/**
 * Whether one item of a list of permissions includes another one: a block of addresses that contains the other, or an
 * object whose sets contain those of the other (permissions and principals of a binding).
 */
export function covers(list: ListShape, wide: JsonValue, narrow: JsonValue, context: RecordContext): boolean {
  if (list.facts.canonical === 'cidrs' && typeof wide === 'string' && typeof narrow === 'string') {
    return isBlockWithin(narrow, wide);
  }
  const { item } = list;
  if (item.type !== 'object' || !isObject(wide) || !isObject(narrow)) return false;
  return [...item.fields].every(([name, field]) => {
    const [more, less] = [own(wide, name), own(narrow, name)];
    if (field.type !== 'list' || field.facts.list?.class !== 'set' || !isArray(more) || !isArray(less)) {
      return equalValues(field, more, less, context);
    }
    const keys = new Set(more.map((each) => memberKey(field, each, context)));
    return less.every((each) => keys.has(memberKey(field, each, context)));
  });
}

/** Whether one block of addresses equals the other or is a part of it. False for other texts. */
export function isBlockWithin(narrow: string, wide: string): boolean {
  const [inner, outer] = [bitsOf(blockKey(narrow)), bitsOf(blockKey(wide))];
  return inner !== undefined && outer !== undefined && inner.startsWith(outer);
}

/** The common bits of all addresses of a block: the family, then the prefix. */
function bitsOf(block: string): string | undefined {
  const [address = '', length = ''] = block.split('/');
  const isIpv6 = address.includes(':');
  const parts = isIpv6 ? ipv6Groups(address) : address.split('.').map(Number);
  if (parts === undefined || parts.some(Number.isNaN)) return undefined;
  const bits = parts.map((part) => part.toString(2).padStart(isIpv6 ? 16 : 8, '0')).join('');
  return `${isIpv6 ? 6 : 4} ${bits.slice(0, Number(length))}`;
}
