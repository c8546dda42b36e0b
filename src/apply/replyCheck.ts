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
} from '../base/json/json.ts';
import { isMaskText } from '../base/json/mask.ts';
import type { Pointer } from '../base/json/pointer.ts';
import { valueThere } from '../base/json/valuesAt.ts';
import { alignShorthands, equalValues } from '../kinds/equal.ts';
import { fillMasks } from '../kinds/fillMasks.ts';
import { normalise, valueWhenOmitted } from '../kinds/normalise.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import type { Body } from '../manifest/model/body.ts';
import { ownTagPrefix } from '../manifest/model/ownTags.ts';
import type { AnswerReading } from '../plan/replan.ts';
import type { ListClass, ListKey } from '../schema/facts/fieldFacts.ts';
import { contextOf, type RecordContext } from '../schema/record/ref.ts';
import { effectiveList, firstKeyWith, itemKey, itemsByKey } from '../schema/shape/listKey.ts';
import { formatPath, itemName, matchPath, quoted, shapeAt, touches } from '../schema/shape/paths.ts';
import { isMerged, type ListShape, type Shape } from '../schema/shape/shape.ts';

/** A body that was sent, and the record expected after it. */
interface Promised {
  readonly body: JsonObject;
  readonly expected: Body;
  /** The paths of values that a new record carries over without being declared. */
  readonly carries?: readonly string[] | undefined;
}

/**
 * The paths where the answer to a write differs from the planned record, removed tags included. A tag that the write
 * does not set may have another value by then, since the platform may keep its own tags, but none may be missing.
 */
export function differences(
  { body, expected, carries = [] }: Promised,
  live: LiveResource,
  org: string,
): readonly string[] {
  const promised = expected.expose();
  const [sent, tags] = [objectAt(body, 'tags'), objectAt(live.record, 'tags')];
  const kept = removedTags(body).filter((key) => own(tags, key) !== undefined);
  const theirs = mapMembers(objectAt(promised, 'tags'), (value, key) =>
    (Object.hasOwn(sent, key) && !carries.includes(`tags.${quoted(key)}`)) || key.startsWith(ownTagPrefix)
      ? value
      : (own(tags, key) ?? value),
  );
  const meant = own(promised, 'tags') === undefined ? promised : { ...promised, tags: theirs };
  const differing = unlike(meant, live, org);
  const masked = differing.length === 0 ? [] : maskedPlaces(expected, live);
  return [...differing.filter((path) => !masked.includes(path)), ...kept.map((key) => `tags.${quoted(key)}`)];
}

/** The places where the answer has a mask instead of a sensitive value, so the stored value is unknown. */
function maskedPlaces(expected: Body, { ref, record }: LiveResource): readonly string[] {
  const document = expected.expose();
  const shape = shapeOf(ref.kind, document);
  return expected
    .sensitivePlaces()
    .map(({ at }) => formatPath(shape, document, at))
    .filter((path) => matchPath(path, shape, record).some((at) => isMaskText(valueThere(record, at))));
}

/**
 * The differences without values that the platform stores in its own way, plus the removed fields that remain and that
 * a plan would remove again. `read`: the plan for the record; undefined if that is not known.
 */
export function unexplained(
  promised: Promised,
  live: LiveResource,
  org: string,
  read: () => AnswerReading | undefined,
): Unexplained {
  const differing = differences(promised, live, org);
  const kept = keptFields(shapeOf(live.ref.kind, live.record), promised.body, live.record);
  const reading = differing.length + kept.length === 0 ? undefined : read();
  if (reading === undefined) return { paths: differing, notes: [] };
  return {
    paths: [...withoutOwnWays(differing, reading), ...kept.filter((path) => isLeft(path, reading))],
    notes: reading.notes,
  };
}

/** The paths whose difference is not explained by how the platform stores values. */
export function withoutOwnWays(paths: readonly string[], reading: AnswerReading | undefined): readonly string[] {
  if (reading === undefined) return paths;
  const isOwn = (path: string): boolean => !path.startsWith('tags.') && reading.own.some((each) => touches(each, path));
  return paths.filter((path) => isLeft(path, reading) || !isOwn(path));
}

function isLeft(path: string, { left }: AnswerReading): boolean {
  return left === undefined || left.some((each) => touches(each, path));
}

interface Unexplained {
  readonly paths: readonly string[];
  /** Facts that were learnt about the platform. */
  readonly notes: readonly string[];
}

/** The fields that a PATCH drops and the record still has; those of tags are in `differences`. */
function keptFields(shape: Shape, body: JsonObject, record: JsonObject, before = ''): readonly string[] {
  const inside = (name: string): string => (before === '' ? quoted(name) : `${before}.${quoted(name)}`);
  return Object.entries(body).flatMap(([key, value]): readonly string[] => {
    if (key === '$drop') {
      const names = listAt(body, key).map(String);
      return names
        .filter((name) => shapeAt(shape, [name]) !== undefined && own(record, name) !== undefined)
        .map(inside);
    }
    if (before === '' && key === 'tags') return [];
    const member = shapeAt(shape, [key]);
    const stored = own(record, key);
    if (isObject(value))
      return member !== undefined && isObject(stored) ? keptFields(member, value, stored, inside(key)) : [];
    const list = key.slice('$patch/'.length);
    const items = key.startsWith('$patch/') ? shapeAt(shape, [list]) : undefined;
    if (items?.type !== 'list' || !isArray(value)) return [];
    return value.flatMap((item) => {
      const name = itemName(items, item);
      const found = listAt(record, list).find((each) => itemName(items, each) === name);
      if (name === undefined || !isObject(item) || !isObject(found)) return [];
      return keptFields(items.item, item, found, `${inside(list)}.${quoted(name)}`);
    });
  });
}

/** The tags that a PATCH removes. */
function removedTags(body: JsonObject): readonly string[] {
  return listAt(objectAt(body, 'tags'), '$drop').map(String);
}

/**
 * Where a live record differs from the expected one: dotted paths into `expected`; empty if it does not.
 *
 * Only fields of `expected` are compared, by meaning (kinds/equal.ts). Fields that the platform adds are ignored;
 * sensitive values that an answer omits, or that a saved plan lacks, cannot be compared. No value is in the result.
 */
export function unlike(promised: JsonObject, live: LiveResource, org: string): readonly string[] {
  const context = contextOf(live.ref, org);
  const shape = shapeOf(live.ref.kind, promised);
  const expected = fillMasks(shape, promised, live.record);

  if (new Comparison(context).of(shape, expected, live.record).length === 0) return [];
  // An installation may return what was written, so both are compared by meaning.
  const pointers = new Comparison(context).of(shape, expected, normalise(live.ref.kind, live.record, context));
  return pointers.map((pointer) => formatPath(shape, expected, pointer));
}

/** Walks the expected record once, and copies only the differing places. */
class Comparison {
  readonly #context: RecordContext;
  readonly #at: (string | number)[] = [];
  readonly #found: Pointer[] = [];
  /** The live objects around the current place. */
  readonly #around: JsonObject[] = [];

  constructor(context: RecordContext) {
    this.#context = context;
  }

  of(shape: Shape, expected: JsonValue, live: JsonValue): readonly Pointer[] {
    this.#compare(shape, expected, live);
    return this.#found;
  }

  #compare(shape: Shape, expected: JsonValue, live: JsonValue | undefined): void {
    const { responseOnly, sensitive } = shape.facts;
    if (responseOnly === true || (sensitive === true && live === undefined)) return;
    if (isObject(expected) && isObject(live) && hasMembers(shape)) {
      this.#compareMembers(shape, expected, live);
    } else if (isArray(expected) && isArray(live) && shape.type === 'list') {
      this.#compareItems(shape, expected, live);
    } else {
      const meant = live ?? valueWhenOmitted(shape.facts, this.#around);
      if (!equalValues(shape, expected, meant, this.#context)) this.#differs();
    }
  }

  #compareMembers(shape: Shape, expected: JsonObject, live: JsonObject): void {
    const aligned = shape.type === 'object' ? alignShorthands(expected, shape, live, this.#context) : live;
    this.#around.push(aligned);
    for (const [key, value] of Object.entries(expected)) {
      const member = shapeAt(shape, [key]);
      // A field that the schema does not know is the platform's own.
      if (member !== undefined) this.#inside(key, member, value, own(aligned, key));
    }
    this.#around.pop();
  }

  #compareItems(shape: ListShape, expected: JsonArray, live: JsonArray): void {
    if (equalValues(shape, expected, live, this.#context)) return;
    const list = effectiveList(shape, expected, live);
    if (list.class === 'set' || expected.length !== live.length || hasOtherFirst(list, expected, live)) {
      this.#differs();
      return;
    }
    const found = list.class === 'keyed' ? counterparts(list.key, expected, live) : live;
    for (const [index, item] of expected.entries()) {
      const match = found[index];
      // A missing item has no default.
      if (match === undefined) this.#differs();
      else this.#inside(index, shape.item, item, match);
    }
  }

  #inside(part: string | number, shape: Shape, expected: JsonValue, live: JsonValue | undefined): void {
    this.#at.push(part);
    this.#compare(shape, expected, live);
    this.#at.pop();
  }

  #differs(): void {
    this.#found.push([...this.#at]);
  }
}

/** Whether a value is compared member by member, rather than as a whole. */
function hasMembers(shape: Shape): boolean {
  return shape.type === 'object' || shape.type === 'map' || isMerged(shape);
}

/** Whether another item is the first of its sort, which has to stay first. */
function hasOtherFirst(list: ListClass, expected: JsonArray, live: JsonArray): boolean {
  if (list.class !== 'keyed' || list.firstWith === undefined) return false;
  return firstKeyWith(list.key, expected, list.firstWith) !== firstKeyWith(list.key, live, list.firstWith);
}

/** For each expected item, the live one with the same key. */
function counterparts(key: ListKey, expected: JsonArray, live: JsonArray): readonly (JsonObject | undefined)[] {
  const found = itemsByKey(key, live);
  return expected.map((item) => (isObject(item) ? found?.get(itemKey(key, item) ?? '') : undefined));
}
