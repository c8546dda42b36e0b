import { isArray, isObject, type JsonArray, type JsonObject, type JsonValue, own, put } from '../../base/json/json.ts';
import { parseJsonText } from '../../base/json/parseJsonText.ts';
import { compareText } from '../../base/text/compareText.ts';
import { ipv6Groups } from '../../base/text/ipv6.ts';
import type { FieldFacts } from '../../schema/facts/fieldFacts.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import { expandLink } from '../../schema/record/links.ts';
import type { RecordContext } from '../../schema/record/ref.ts';
import type { ScalarShape, Shape } from '../../schema/shape/shape.ts';
import { shapeOf } from '../shape/shapeOf.ts';

/**
 * A text as the platform stores it (platform/concepts.rewritten). Links that may be names stay as sent
 * (platform/workload.options).
 */
export function canonicalText(text: string, facts: FieldFacts, context: RecordContext): string {
  if (facts.link !== undefined) return facts.link.orName === true ? text : expandLink(text, context, facts.link);
  switch (facts.canonical) {
    case 'lowercase':
      return text.toLowerCase();
    case 'trimmed':
      return text.trim();
    case 'image':
      return canonicalImage(text, context);
    default:
      return text;
  }
}

/** A blank description counts as omitted (platform/concepts.description). */
export function isBlank(value: JsonValue | undefined, facts: FieldFacts): boolean {
  return facts.canonical === 'trimmed' && typeof value === 'string' && value.trim() === '';
}

/** The host of the own registry is `{org}.<this>` (platform/workload.images). */
const ownRegistryHost = 'registry.local';

/** `//image/n:t` and the host form of the own registry become `/org/{org}/image/n:t` (platform/workload.images). */
function canonicalImage(text: string, context: RecordContext): string {
  if (text.startsWith('//image/')) return `/org/${context.org}/${text.slice(2)}`;
  const own = `${context.org}.${ownRegistryHost}/`;
  return text.startsWith(own) ? `/org/${context.org}/image/${text.slice(own.length)}` : text;
}

/** A list as the platform stores it (platform/concepts.rewritten); the same list when nothing changes. */
export function canonicalList(items: JsonArray, facts: FieldFacts): JsonArray {
  switch (facts.canonical) {
    case 'cidrs':
      return sortedBlocks(items);
    case 'sortedNumbers':
      return sortedNumbers(items);
    case 'routes':
      return sortedRoutes(items);
    default:
      return items;
  }
}

/**
 * Equal for equal blocks: a bare address is a block of one, and IPv6 has many spellings (platform/concepts.rewritten).
 */
export function blockKey(text: string): string {
  const [address = '', ...length] = text.toLowerCase().split('/');
  if (!address.includes(':')) return length.length > 0 ? [address, ...length].join('/') : `${address}/32`;
  const groups = ipv6Groups(address);
  const value = groups === undefined ? address : groups.map((group) => group.toString(16)).join(':');
  return [value, ...(length.length > 0 ? length : ['128'])].join('/');
}

function sortedBlocks(items: JsonArray): JsonArray {
  const texts = items.filter((item) => typeof item === 'string');
  if (texts.length !== items.length) return items;
  const unique = new Map<string, string>();
  for (const text of texts.toSorted(compareText)) {
    if (!unique.has(blockKey(text))) unique.set(blockKey(text), text);
  }
  return keepIfSame(items, [...unique.values()]);
}

function sortedNumbers(items: JsonArray): JsonArray {
  const numbers = items.filter((item) => typeof item === 'number');
  if (numbers.length !== items.length) return items;
  return keepIfSame(
    items,
    [...new Set(numbers)].toSorted((a, b) => a - b),
  );
}

/** Longest prefix first; unchanged if a route has a regex. */
function sortedRoutes(items: JsonArray): JsonArray {
  if (items.some((item) => isObject(item) && typeof own(item, 'regex') === 'string')) return items;
  return keepIfSame(
    items,
    items.toSorted((a, b) => prefixLength(b) - prefixLength(a)),
  );
}

function prefixLength(route: JsonValue): number {
  const prefix = isObject(route) ? own(route, 'prefix') : undefined;
  return typeof prefix === 'string' ? prefix.length : 0;
}

/** `after` has no more items. */
function keepIfSame(before: JsonArray, after: JsonArray): JsonArray {
  return before.every((item, index) => item === after[index]) ? before : after;
}

const numeral = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * Numbers and booleans that were sent as text, in their own type: `"5"` where the schema expects a number is 5
 * (platform/patch.clients). Never inside free-form objects. Text that is not a number stays, for the validator to
 * refuse.
 *
 * The directives of a PATCH body are not fields: apply the patch first. Unchanged parts are shared with the input.
 */
export function coerce(kind: Kind, record: JsonObject): JsonObject {
  const value = coerceValue(shapeOf(kind, record), record);
  return isObject(value) ? value : record;
}

/** The same for one value of a known shape. */
function coerceValue(shape: Shape, value: JsonValue): JsonValue {
  if (typeof value === 'string' && shape.facts.orJsonText === true) return parseJsonText(value);
  switch (shape.type) {
    case 'object':
      return isObject(value) ? coerceMembers(value, (name) => shape.fields.get(name)) : value;
    case 'map':
      return isObject(value) ? coerceMembers(value, () => shape.value) : value;
    case 'list':
      return isArray(value) ? coerceItems(value, shape.item) : value;
    case 'scalar':
      return typeof value === 'string' ? coerceText(shape, value) : value;
    case 'free':
      return value;
  }
}

function coerceMembers(object: JsonObject, shapeAt: (name: string) => Shape | undefined): JsonObject {
  let coerced: Record<string, JsonValue> | undefined;
  for (const name of Object.keys(object)) {
    const value = own(object, name) ?? null;
    const shape = shapeAt(name);
    const said = shape === undefined ? value : coerceValue(shape, value);
    if (said === value) continue;
    coerced ??= { ...object };
    put(coerced, name, said);
  }
  return coerced ?? object;
}

function coerceItems(items: JsonArray, shape: Shape): JsonArray {
  let coerced: JsonValue[] | undefined;
  for (const [index, item] of items.entries()) {
    const said = coerceValue(shape, item);
    if (said === item) continue;
    coerced ??= [...items];
    coerced[index] = said;
  }
  return coerced ?? items;
}

/**
 * The value as the schema writes it: an installation may answer `"1"` for 1, 1 for `"1"`, and `Standard` for `standard`
 * (assumptions `value.types` and `value.case`).
 */
export function ofItsType(shape: ScalarShape, value: JsonValue): JsonValue {
  if (typeof value === 'object') return value;
  if (shape.of !== 'string') return typeof value === 'string' ? coerceText(shape, value) : value;
  const text = String(value);
  const { words } = shape;
  if (words === undefined || words.includes(text)) return text;
  return words.find((word) => plainWord(word) === plainWord(text)) ?? text;
}

/** A word without what installations write in different ways: case, and what is between its parts. */
export function plainWord(word: string): string {
  return word.toLowerCase().replaceAll(/[-_ ]/g, '');
}

function coerceText({ of }: ScalarShape, text: string): JsonValue {
  if (of === 'number' && numeral.test(text)) return Number(text);
  if (of === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
