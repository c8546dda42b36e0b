import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { isArray, isObject, type JsonArray, type JsonObject, type JsonValue, own } from '../../schema/json/json.ts';
import type { Pointer } from '../../schema/json/pointer.ts';
import { alignShorthands } from '../../schema/normalForm/alignShorthands.ts';
import { valueWhenOmitted } from '../../schema/normalForm/derive.ts';
import { equalValues } from '../../schema/normalForm/equal.ts';
import { fillMasks } from '../../schema/normalForm/fillMasks.ts';
import { normalise } from '../../schema/normalForm/normalise.ts';
import { contextOf, type RecordContext } from '../../schema/record/context.ts';
import { effectiveList, itemKey, itemsByKey } from '../../schema/shape/listKey.ts';
import { formatPath } from '../../schema/shape/paths.ts';
import { fieldShape, isMerged, type ListShape, type Shape } from '../../schema/shape/shape.ts';
import { shapeOf } from '../../schema/shape/shapeOf.ts';

/**
 * Where a live record differs from the expected one: dotted paths into `expected`; empty if it does not.
 *
 * Only fields of `expected` are compared, by meaning (schema/normalForm/equal.ts). Fields that the platform adds are
 * ignored; sensitive values that an answer omits, or that a saved plan lacks, cannot be compared. No value is in the
 * result.
 */
export function unlike(promised: JsonObject, live: LiveResource, org: string): readonly string[] {
  const context = contextOf(live.ref, org);
  const shape = shapeOf(live.ref.kind, promised);
  const expected = fillMasks(shape, promised, live.record);

  if (new Comparison(context).of(shape, expected, live.record).length === 0) return [];
  // An installation may answer with what was written; what it means is what counts.
  const pointers = new Comparison(context).of(shape, expected, normalise(live.ref.kind, live.record, context));
  return pointers.map((pointer) => formatPath(shape, expected, pointer));
}

/** One walk over what is expected; it makes no copies but of the places that differ. */
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
    if (expected === live || shape.facts.responseOnly === true) return;
    if (live === undefined && isHidden(shape)) return;
    if (shape.type === 'object' && isObject(expected) && isObject(live)) {
      // A field that the schema does not know is the platform's own.
      const told = alignShorthands(expected, shape, live, this.#context);
      this.#around.push(told);
      for (const key of Object.keys(expected)) this.#member(fieldShape(shape, key), key, expected, told);
      this.#around.pop();
    } else if (shape.type === 'map' && isObject(expected) && isObject(live)) {
      for (const key of Object.keys(expected)) this.#member(shape.value, key, expected, live);
    } else if (isMerged(shape) && isObject(expected) && isObject(live)) {
      for (const key of Object.keys(expected)) this.#member(shape, key, expected, live);
    } else if (shape.type === 'list' && isArray(expected) && isArray(live)) {
      this.#compareLists(shape, expected, live);
    } else if (!equalValues(shape, expected, live ?? this.#meant(shape), this.#context)) {
      this.#differs();
    }
  }

  /** The meaning of an omitted field, if it follows from the rest of the answer. */
  #meant(shape: Shape): JsonValue | undefined {
    return shape.facts.fill === 'derived' ? valueWhenOmitted(shape.facts, this.#around) : undefined;
  }

  #member(shape: Shape | undefined, key: string, expected: JsonObject, live: JsonObject): void {
    const value = own(expected, key);
    if (shape !== undefined && value !== undefined) this.#inside(key, shape, value, own(live, key));
  }

  #compareLists(shape: ListShape, expected: JsonArray, live: JsonArray): void {
    if (expected.length !== live.length) {
      this.#differs();
      return;
    }
    const list = effectiveList(shape, expected, live);
    if (list.class === 'set') {
      if (!equalValues(shape, expected, live, this.#context)) this.#differs();
      return;
    }
    if (shape.facts.byContent === true && equalValues(shape, expected, live, this.#context)) return;
    const byKey = list.class === 'keyed' ? itemsByKey(list.key, live) : undefined;
    for (const [index, item] of expected.entries()) {
      const key = list.class === 'keyed' && isObject(item) ? itemKey(list.key, item) : undefined;
      const match = byKey === undefined || key === undefined ? live[index] : byKey.get(key);
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

/** Can an answer omit it because of its content (values of secrets)? */
function isHidden(shape: Shape): boolean {
  if (shape.facts.sensitive === true) return true;
  switch (shape.type) {
    case 'object':
      return [...shape.fields.values()].some(isHidden);
    case 'map':
      return isHidden(shape.value);
    case 'list':
      return isHidden(shape.item);
    case 'scalar':
    case 'free':
      return false;
  }
}
