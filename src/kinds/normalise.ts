import {
  fieldIn,
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  listAt,
  mapMembers,
  objectAt,
  own,
  put,
  stringAt,
} from '../base/json/json.ts';
import { parseJsonText } from '../base/json/jsonText.ts';
import { onceForObject } from '../base/once.ts';
import { compareText } from '../base/text/compareText.ts';
import { ipv6Groups } from '../base/text/ipv6.ts';
import type { FieldFacts } from '../schema/facts/fieldFacts.ts';
import { workloadTypeOf } from '../schema/facts/workloadTypes.ts';
import type { Kind } from '../schema/record/kinds.ts';
import { expandLink, type RecordContext } from '../schema/record/ref.ts';
import { anywhere, shapesInside } from '../schema/shape/anywhere.ts';
import { childShape } from '../schema/shape/paths.ts';
import {
  isLiteral,
  type ListShape,
  type MapShape,
  type ObjectShape,
  type ScalarShape,
  type Shape,
} from '../schema/shape/shape.ts';
import { shapeOf } from './shapeOf.ts';

/**
 * The record as the platform stores it: complete links, rewritten lists (platform/concepts.rewritten), and the values
 * that it fills in (platform/concepts.filled), but no others. Pure and idempotent. Fields unknown to the schema, or of
 * a wrong type, are unchanged. Unchanged parts are shared with the input.
 */
export function normalise(kind: Kind, record: JsonObject, context: RecordContext): JsonObject {
  return normaliseObject(shapeOf(kind, record), record, context, []);
}

function normaliseValue(shape: Shape, value: JsonValue, context: RecordContext, enclosing: JsonObject[]): JsonValue {
  switch (shape.type) {
    case 'object':
      return isObject(value) ? normaliseObject(shape, value, context, enclosing) : value;
    case 'map':
      return isObject(value) ? normaliseMap(shape, value, context, enclosing) : value;
    case 'list':
      return isArray(value) ? normaliseList(shape, value, context, enclosing) : value;
    case 'scalar':
      return typeof value === 'string' ? canonicalText(value, shape.facts, context) : value;
    case 'free':
      return value;
  }
}

function normaliseObject(
  shape: ObjectShape,
  object: JsonObject,
  context: RecordContext,
  enclosing: JsonObject[],
): JsonObject {
  const { filled: toFill, rewritten } = changingFields(shape);
  const filled = toFill.length === 0 ? object : withStoredFields(toFill, object, enclosing);
  if (rewritten.length === 0) return filled;

  let changed: Record<string, JsonValue> | undefined;
  enclosing.push(filled);
  for (const [name, field] of rewritten) {
    const value = own(filled, name);
    if (value === undefined) continue;
    const normal = normaliseValue(field, value, context, enclosing);
    if (normal === value) continue;
    changed ??= { ...filled };
    changed[name] = normal;
  }
  enclosing.pop();
  return changed ?? filled;
}

type Fields = readonly (readonly [name: string, field: Shape])[];

/** The few fields of an object that can change; most are stored as sent. */
const changingFields = onceForObject((shape: ObjectShape): { readonly filled: Fields; readonly rewritten: Fields } => ({
  filled: [...shape.fields].filter(([, { facts }]) => facts.stored === true),
  rewritten: [...shape.fields].filter(([, field]) => canChange(field)),
}));

const canChange = anywhere((shape) => {
  if (shape.facts.canonical !== undefined || shape.facts.link !== undefined) return true;
  return shape.type === 'object' && shapesInside(shape).some(({ facts }) => facts.stored === true);
});

/** Adds the fields that the platform stores by itself. */
function withStoredFields(fields: Fields, object: JsonObject, enclosing: readonly JsonObject[]): JsonObject {
  let filled: Record<string, JsonValue> | undefined;
  for (const [name, { facts }] of fields) {
    const member = own(object, name);
    if (member !== undefined && !isBlank(member, facts)) continue;
    const value = valueWhenOmitted(facts, [...enclosing, filled ?? object]);
    if (value === undefined) continue;
    filled ??= { ...object };
    filled[name] = value;
  }
  return filled ?? object;
}

function normaliseMap(shape: MapShape, map: JsonObject, context: RecordContext, enclosing: JsonObject[]): JsonObject {
  let changed: Record<string, JsonValue> | undefined;
  for (const key of Object.keys(map)) {
    const value = own(map, key);
    if (value === undefined) continue;
    const normal = normaliseValue(shape.value, value, context, enclosing);
    if (normal === value) continue;
    changed ??= { ...map };
    put(changed, key, normal);
  }
  return changed ?? map;
}

function normaliseList(shape: ListShape, items: JsonArray, context: RecordContext, enclosing: JsonObject[]): JsonArray {
  let changed: JsonValue[] | undefined;
  let index = 0;
  for (const item of items) {
    const normal = normaliseValue(shape.item, item, context, enclosing);
    if (normal !== item) {
      changed ??= [...items];
      changed[index] = normal;
    }
    index += 1;
  }
  return canonicalList(changed ?? items, shape.facts);
}

/** The objects around a field, from the record to the object with the field. Includes list items, but not lists. */
type Enclosing = readonly JsonObject[];

type Derive = (enclosing: Enclosing) => JsonValue | undefined;

/**
 * The meaning of an omitted field: its constant, its refill, or a value derived from the rest of the record. Undefined
 * if unknown, or if omission means absence. Source: platform/concepts.filled.
 */
export function valueWhenOmitted(facts: FieldFacts, enclosing: Enclosing): JsonValue | undefined {
  const derive = facts.derive === undefined ? undefined : derivations.get(facts.derive);
  return derive === undefined ? facts.default : derive(enclosing);
}

function innermost(enclosing: Enclosing, depth = 1): JsonObject {
  return enclosing.at(-depth) ?? {};
}

/** By the names used in definitions. */
const derivations: ReadonlyMap<string, Derive> = new Map(
  Object.entries<Derive>({
    name: (enclosing) => own(innermost(enclosing), 'name'),

    /** `httpGet` is in a probe, the probe in a container (platform/concepts.filled). */
    firstContainerPort: (enclosing) => firstPort(innermost(enclosing, 3)),

    /** Depends on the workload type; undefined with several metrics (platform/workload.autoscaling). */
    autoscalingMetric(enclosing) {
      const autoscaling = innermost(enclosing);
      if (Object.hasOwn(autoscaling, 'multi')) return undefined;
      if (Object.hasOwn(autoscaling, 'keda')) return 'keda';
      switch (workloadTypeOf(enclosing[0] ?? {})) {
        case 'serverless':
          return 'concurrency';
        case 'stateful':
          return 'cpu';
        case 'standard':
          return own(innermost(enclosing, 2), 'capacityAI') === false ? 'cpu' : 'disabled';
        default:
          return undefined;
      }
    },

    autoscalingTarget(enclosing) {
      const autoscaling = innermost(enclosing);
      if (Object.hasOwn(autoscaling, 'multi') || Object.hasOwn(autoscaling, 'keda')) return undefined;
      const metric = own(autoscaling, 'metric');
      return metric === undefined || metric === 'keda' || metric === 'disabled' ? undefined : 95;
    },

    /**
     * Off for stateful workloads, and if the platform could not use it; ignored for cron
     * (platform/workload.capacity-ai).
     */
    capacityAI(enclosing) {
      if (workloadTypeOf(enclosing[0] ?? {}) === 'stateful') return false;
      const autoscaling = objectAt(innermost(enclosing), 'autoscaling');
      if (own(autoscaling, 'metric') === 'cpu' || Object.hasOwn(autoscaling, 'multi')) return false;
      return !usesGpu(enclosing);
    },

    dnsMode: (enclosing) => (stringAt(innermost(enclosing), 'gvcLink') === undefined ? 'cname' : 'ns'),

    routePrefix: (enclosing) => (stringAt(innermost(enclosing), 'regex') === undefined ? '/' : undefined),

    /** Port 443 has TLS unless it is plain TCP (platform/concepts.filled, rule D20). */
    tls: (enclosing) => (endsTls(innermost(enclosing)) ? {} : undefined),

    performanceClass: (enclosing) => (own(innermost(enclosing), 'fileSystemType') === 'shared' ? 'shared' : undefined),

    /** `predictive` is in `autoscaling`, whose factor it inherits (platform/volumeset). */
    predictiveScalingFactor: (enclosing) => own(innermost(enclosing, 2), 'scalingFactor'),
  }),
);

function usesGpu(enclosing: Enclosing): boolean {
  const containers = listAt(objectAt(enclosing[0] ?? {}, 'spec'), 'containers');
  // An empty object means absence (platform/concepts.filled).
  return containers.some((container) => isObject(container) && Object.keys(objectAt(container, 'gpu')).length > 0);
}

/** The first of `ports`, else the legacy `port`. */
function firstPort(container: JsonObject): JsonValue | undefined {
  const [first] = listAt(container, 'ports');
  return isObject(first) ? own(first, 'number') : own(container, 'port');
}

/** A port without a number is 443, also if an answer omits defaults. */
function endsTls(port: JsonObject): boolean {
  // An installation may return a number as text, and a word in another case.
  return Number(own(port, 'number') ?? 443) === 443 && stringAt(port, 'protocol')?.toLowerCase() !== 'tcp';
}

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

/** The host of an org's registry is `{org}.<this>` (platform/workload.images). */
const ownRegistryHost = 'registry.local';

/** `//image/n:t` and the host form of the org's registry become `/org/{org}/image/n:t` (platform/workload.images). */
function canonicalImage(text: string, context: RecordContext): string {
  if (text.startsWith('//image/')) return `/org/${context.org}/${text.slice(2)}`;
  const own = `${context.org}.${ownRegistryHost}/`;
  return text.startsWith(own) ? `/org/${context.org}/image/${text.slice(own.length)}` : text;
}

/** A list as the platform stores it (platform/concepts.rewritten); the same object if unchanged. */
function canonicalList(items: JsonArray, facts: FieldFacts): JsonArray {
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
 * A key that is equal for equal blocks: a bare address is a block of one, and IPv6 has many spellings
 * (platform/concepts.rewritten).
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

/** Sorts by longest prefix first; unchanged if a route has a regex. */
function sortedRoutes(items: JsonArray): JsonArray {
  if (items.some((item) => isObject(item) && typeof own(item, 'regex') === 'string')) return items;
  return keepIfSame(
    items,
    items.toSorted((a, b) => prefixLength(b) - prefixLength(a)),
  );
}

function prefixLength(route: JsonValue): number {
  const prefix = fieldIn(route, 'prefix');
  return typeof prefix === 'string' ? prefix.length : 0;
}

/** `after` must not have more items. */
function keepIfSame(before: JsonArray, after: JsonArray): JsonArray {
  return before.every((item, index) => item === after[index]) ? before : after;
}

const numeral = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * Converts numbers and booleans that were sent as text to their own type: `"5"` becomes 5 where the schema expects a
 * number (platform/patch.clients). Never inside free-form objects. Text that is not a number stays, and the validator
 * refuses it.
 *
 * Directives of a PATCH body are not fields: apply the patch first. Unchanged parts are shared with the input.
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
 * The value as the schema writes it: an installation may return `"1"` for 1, 1 for `"1"`, and `Standard` for `standard`
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

/** A word without what installations spell differently: case, and separators between its parts. */
export function plainWord(word: string): string {
  return word.toLowerCase().replaceAll(/[-_ ]/g, '');
}

function coerceText({ of }: ScalarShape, text: string): JsonValue {
  if (of === 'number' && numeral.test(text)) return Number(text);
  if (of === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** The value without null members, which mean absence (platform/concepts.tags); free-form JSON stays unchanged. */
export function withoutNulls(shape: Shape | undefined, value: JsonValue): JsonValue {
  if (shape === undefined || isLiteral(shape)) return value;
  if (isArray(value)) return shape.type === 'list' ? value.map((item) => withoutNulls(shape.item, item)) : value;
  return isObject(value) ? membersWithoutNulls(shape, value) : value;
}

export function membersWithoutNulls(shape: Shape, object: JsonObject): JsonObject {
  return mapMembers(object, (value, name) =>
    value === null ? undefined : withoutNulls(childShape(shape, name), value),
  );
}
