import {
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  own,
  put,
  stringAt,
} from '../../base/json/json.ts';
import type { FieldFacts } from '../../schema/facts/fieldFacts.ts';
import { workloadTypeOf } from '../../schema/facts/workloadTypes.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import type { RecordContext } from '../../schema/record/ref.ts';
import { anywhere, shapesInside } from '../../schema/shape/anywhere.ts';
import { memoByShape } from '../../schema/shape/memoByShape.ts';
import type { ListShape, MapShape, ObjectShape, Shape } from '../../schema/shape/shape.ts';
import { shapeOf } from '../shape/shapeOf.ts';
import { canonicalList, canonicalText, isBlank } from './canonical.ts';

export { coerce } from './canonical.ts';

/**
 * The record as the platform stores it: complete links, lists as it rewrites them (platform/concepts.rewritten), and
 * the values that it fills in (platform/concepts.filled), but no others. Pure and idempotent. Fields that are not in
 * the schema, or have a wrong type, are unchanged. Unchanged parts are shared with the input.
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
  const { filled: toFill, rewritten } = workOf(shape);
  const filled = toFill.length === 0 ? object : fill(toFill, object, enclosing);
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

/** The few fields of an object that can change; most of a record is stored as it was sent. */
const workOf = memoByShape((shape: ObjectShape): { readonly filled: Fields; readonly rewritten: Fields } => ({
  filled: [...shape.fields].filter(([, { facts }]) => facts.stored === true),
  rewritten: [...shape.fields].filter(([, field]) => canChange(field)),
}));

const canChange = anywhere((shape) => {
  if (shape.facts.canonical !== undefined || shape.facts.link !== undefined) return true;
  return shape.type === 'object' && shapesInside(shape).some(({ facts }) => facts.stored === true);
});

/** The object with the fields that the platform stores by itself. */
function fill(fields: Fields, object: JsonObject, enclosing: readonly JsonObject[]): JsonObject {
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

/**
 * The objects around a field: first the record, last the object with the field. List items are among them, lists are
 * not.
 */
type Enclosing = readonly JsonObject[];

type Derive = (enclosing: Enclosing) => JsonValue | undefined;

/**
 * The meaning of an omitted field: its constant, its refill, or a value derived from the rest of the record. Undefined:
 * not known, or absence. Source: platform/concepts.filled.
 */
export function valueWhenOmitted(facts: FieldFacts, enclosing: Enclosing): JsonValue | undefined {
  const derive = facts.derive === undefined ? undefined : derivations.get(facts.derive);
  return derive === undefined ? facts.default : derive(enclosing);
}

function innermost(enclosing: Enclosing, depth = 1): JsonObject {
  return enclosing.at(-depth) ?? {};
}

/** By the names that definitions use. */
const derivations: ReadonlyMap<string, Derive> = new Map(
  Object.entries<Derive>({
    name: (enclosing) => own(innermost(enclosing), 'name'),

    /** `httpGet` is in a probe, the probe in a container (platform/concepts.filled). */
    firstContainerPort: (enclosing) => firstPort(innermost(enclosing, 3)),

    /** By the type of the workload; not with several metrics (platform/workload.autoscaling). */
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

    /** Off for stateful, and where the platform could not use it; ignored for cron (platform/workload.capacity-ai). */
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
  // The empty object means the same as absence (platform/concepts.filled).
  return containers.some((container) => isObject(container) && Object.keys(objectAt(container, 'gpu')).length > 0);
}

/** The first of `ports`, else the legacy `port`. */
function firstPort(container: JsonObject): JsonValue | undefined {
  const [first] = listAt(container, 'ports');
  return isObject(first) ? own(first, 'number') : own(container, 'port');
}

/** A port without a number is 443, also if an answer omits defaults. */
function endsTls(port: JsonObject): boolean {
  // An installation may answer a number as text, and a word in another case.
  return Number(own(port, 'number') ?? 443) === 443 && stringAt(port, 'protocol')?.toLowerCase() !== 'tcp';
}
