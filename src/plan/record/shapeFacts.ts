import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  mapMembers,
  own,
  put,
  sameJson,
} from '../../base/json/json.ts';
import { masked } from '../../base/json/mask.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { compact } from '../../base/json/present.ts';
import { onceForObject } from '../../base/once.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { Body } from '../../manifest/model/body.ts';
import type { DesiredResource, Position } from '../../manifest/model/manifest.ts';
import { ownTagPrefix } from '../../manifest/model/ownTags.ts';
import { maskSensitive } from '../../patch/fieldChanges.ts';
import { byMarks, bySchema, markedTexts, type Sensitivity } from '../../patch/shouldMask.ts';
import { protectedTag } from '../../schema/record/protection.ts';
import type { Ref } from '../../schema/record/ref.ts';
import { anywhere, holdsSensitive, isResponseOnly } from '../../schema/shape/anywhere.ts';
import { keyFields } from '../../schema/shape/listKey.ts';
import { pointerTo, shapeAt } from '../../schema/shape/paths.ts';
import { fieldShape, isMerged, isOpenEnded, type ObjectShape, type Shape } from '../../schema/shape/shape.ts';

/** Facts of a whole kind, found once for each shape. */
interface ShapeFacts {
  readonly immutable: readonly { readonly pointer: readonly string[]; readonly shape: Shape }[];
  /** Top-level fields that responses do not contain or that only the platform writes. */
  readonly unanswered: ReadonlySet<string>;
  readonly sensitive: readonly string[];
}

export const shapeFacts = onceForObject((shape: ObjectShape): ShapeFacts => {
  const fields = [...shape.fields];
  const sensitive = fields.filter(([, field]) => holdsSensitive(field)).map(([name]) => name);
  const responseOnly = fields.filter(([, field]) => field.facts.responseOnly === true).map(([name]) => name);
  return {
    immutable: fields.flatMap(([name, field]) => (field.facts.responseOnly === true ? [] : immutableIn(field, [name]))),
    unanswered: new Set([...sensitive, ...responseOnly]),
    sensitive,
  };
});

/**
 * The record that the response to a write must equal, without what cannot be compared: response-only fields, secret
 * values, and top-level fields unknown to the schema.
 */
export function answered(shape: ObjectShape, record: JsonObject): JsonObject {
  const { unanswered } = shapeFacts(shape);
  return mapMembers(record, (value, name) =>
    fieldShape(shape, name) === undefined || unanswered.has(name) ? undefined : value,
  );
}

/**
 * The record without the platform's additions to its envelope: fields unknown to the schema, which no client has
 * written, and empty objects, as every record may have them. The same object if nothing is added.
 */
export function withoutAdded(shape: ObjectShape, record: JsonObject): JsonObject {
  if (shape.rest !== undefined) return record;
  const isSaid = (value: JsonValue, name: string): boolean =>
    fieldShape(shape, name) !== undefined && !(isObject(value) && Object.keys(value).length === 0);
  return Object.entries(record).every(([name, value]) => isSaid(value, name))
    ? record
    : mapMembers(record, (value, name) => (isSaid(value, name) ? value : undefined));
}

/** Pointers of the fields that the platform would otherwise choose and that this record sets. */
export function servicePointers(shape: ObjectShape, record: JsonObject): readonly Pointer[] {
  const found: Pointer[] = [];
  collectService(shape, record, [], found);
  return found;
}

function collectService(shape: Shape, value: JsonValue, pointer: Pointer, found: Pointer[]): void {
  if (!holdsService(shape)) return;
  const isInside = isOpenEnded(shape) && isObject(value) && Object.keys(value).length > 0;
  if (shape.facts.fill === 'service' && !isInside) found.push(pointer);
  if (shape.type === 'list' && isArray(value)) {
    for (const [index, item] of value.entries()) collectService(shape.item, item, [...pointer, index], found);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      const field = memberOf(shape, key);
      if (field !== undefined) collectService(field, item, [...pointer, key], found);
    }
  }
}

/** Whether the field is a key of its list item. */
export function isKey(shape: Shape, pointer: Pointer): boolean {
  const list = typeof pointer.at(-2) === 'number' ? shapeAt(shape, pointer.slice(0, -2)) : undefined;
  return list !== undefined && keyFields(list).includes(String(pointer.at(-1)));
}

function memberOf(shape: Shape, name: string): Shape | undefined {
  if (shape.type === 'object') return fieldShape(shape, name);
  return shape.type === 'map' ? shape.value : isMerged(shape) ? shape : undefined;
}

/** Most of a record has no such field, so it need not be visited. */
const holdsService = anywhere(({ facts }) => facts.fill === 'service', isResponseOnly);

/** The value without the fields and list items at these pointers. */
function without(value: JsonValue, pointers: readonly Pointer[]): JsonValue {
  if (pointers.length === 0) return value;
  const below = (step: string | number): readonly Pointer[] =>
    pointers.filter(([first]) => first === step).map(([, ...rest]) => rest);
  const removed = (step: string | number): boolean => pointers.some((each) => each.length === 1 && each[0] === step);

  if (isArray(value))
    return compact(value, (item, index) => (removed(index) ? undefined : without(item, below(index))));
  if (!isObject(value)) return value;
  const result: Record<string, JsonValue> = {};
  for (const [key, item] of Object.entries(value)) if (!removed(key)) put(result, key, without(item, below(key)));
  return result;
}

/** The record with a value at a place; missing objects on the path are created. */
export function withValue(record: JsonObject, pointer: Pointer, value: JsonValue): JsonObject {
  const placed = placeValue(record, pointer, value);
  return isObject(placed) ? placed : record;
}

function placeValue(at: JsonValue | undefined, [step, ...rest]: Pointer, value: JsonValue): JsonValue {
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const list = isArray(at) ? at : [];
    return list.map((item, index) => (index === step ? placeValue(item, rest, value) : item));
  }
  const copy: Record<string, JsonValue> = {};
  for (const [key, item] of Object.entries(isObject(at) ? at : {})) put(copy, key, item);
  put(copy, step, placeValue(own(copy, step), rest, value));
  return copy;
}

/** The record without these fields and list items. */
export function withoutFields(record: JsonObject, pointers: readonly Pointer[]): JsonObject {
  const rest = without(record, pointers);
  return isObject(rest) ? rest : {};
}

function immutableIn(shape: Shape, pointer: readonly string[]): ShapeFacts['immutable'] {
  if (shape.facts.immutable === true) return pointer.length === 1 && pointer[0] === 'name' ? [] : [{ pointer, shape }];
  if (shape.type !== 'object') return [];
  return [...shape.fields].flatMap(([name, field]) => immutableIn(field, [...pointer, name]));
}

const byResource = new WeakMap<DesiredResource, Sensitivity>();

/**
 * The sensitivity of a declared resource. `live`: its records that are shown too; texts that repeat one of their marked
 * values are hidden as well.
 */
export function sensitivityOf(resource: DesiredResource, ...live: readonly (JsonObject | undefined)[]): Sensitivity {
  const { ref, record, lifecycle } = resource;
  const marked = (records: readonly JsonObject[]) =>
    byMarks(shapeOf(ref.kind, record), lifecycle.sensitive ?? [], record, ...records);
  const others = lifecycle.sensitive === undefined ? [] : compact(live);
  if (others.length > 0) return marked(others);
  const made = byResource.get(resource) ?? marked([]);
  byResource.set(resource, made);
  return made;
}

/** The sensitivity of live records of one resource, from its declaration if there is one. */
export function sensitivityOfLive(
  ref: Ref,
  declared: DesiredResource | undefined,
  record: JsonObject,
  ...others: readonly JsonObject[]
): Sensitivity {
  return declared === undefined ? bySchema(shapeOf(ref.kind, record)) : sensitivityOf(declared, record, ...others);
}

/** Makes the request bodies. `live`: the platform's record, which a refusal may repeat. */
export function bodiesOf(resource: DesiredResource, live: JsonObject | undefined): (document: JsonObject) => Body {
  const sensitivity = sensitivityOf(resource, live);
  const paths = resource.lifecycle.sensitive ?? [];
  const shape = shapeOf(resource.ref.kind, resource.record);
  const texts = live === undefined ? [] : markedTexts(shape, paths, live);
  return (document) => new Body(document, maskRecord(sensitivity, document), texts);
}

/**
 * The record with masked values, and with Gantry's own tags even if all tags are marked: they say nothing of the marked
 * values, no manifest has them, and a saved plan reads masked values from the manifests again.
 */
export function maskRecord(sensitivity: Sensitivity, record: JsonObject): JsonObject {
  const shown = maskSensitive(sensitivity, record);
  const [tags, maskedTags] = [own(record, 'tags'), own(shown, 'tags')];
  if (!isObject(tags) || sameJson(tags, maskedTags)) return shown;
  const inside = isObject(maskedTags) && maskedTags !== masked ? maskedTags : mapMembers(tags, () => masked);
  return { ...shown, tags: mapMembers(tags, (value, key) => (isWrittenByGantry(key) ? value : own(inside, key))) };
}

function isWrittenByGantry(tag: string): boolean {
  return tag.startsWith(ownTagPrefix) || tag === protectedTag;
}

/** The same with the marks of a declaration, if there is one, for the tags of a live record. */
export function tagBodiesOf({ record }: LiveResource, declared: DesiredResource | undefined) {
  return declared === undefined ? (document: JsonObject) => new Body(document, document) : bodiesOf(declared, record);
}

export const protectedPath = `tags.${JSON.stringify(protectedTag)}`;
const protect: Pointer = ['lifecycle', 'protect'];
const retain: Pointer = ['lifecycle', 'retain'];

/** The place in the manifest that declares this field; undefined if none does. */
export function pointerOfField(path: string, shape: ObjectShape, resource: DesiredResource): Pointer | undefined {
  const { record, lifecycle } = resource;
  if (path === 'lifecycle.retain') return lifecycle.retain === undefined ? undefined : retain;
  if (path === protectedPath && lifecycle.protect !== undefined) return protect;
  return pointerTo(path, shape, record);
}

export function positionOfField(path: string, shape: ObjectShape, resource: DesiredResource): Position | undefined {
  const pointer = pointerOfField(path, shape, resource);
  return pointer === undefined ? undefined : resource.locate(pointer);
}
