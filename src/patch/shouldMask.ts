import type { JsonObject, JsonValue } from '../base/json/json.ts';
import { textsIn } from '../base/json/textsIn.ts';
import { valueThere } from '../base/json/valuesAt.ts';
import { holdsSensitive } from '../schema/shape/anywhere.ts';
import { itemName, matchPath } from '../schema/shape/paths.ts';
import type { ObjectShape, Shape } from '../schema/shape/shape.ts';
import { isMatched, itemShape, memberShape, noPatterns, type Patterns, parsePatterns, patternsBelow } from './place.ts';

/** The sensitivity of one place in a record: by the schema, and by its author's marks. */
export interface Sensitivity {
  readonly shape: Shape;
  /** The remaining segments of the marked paths here. */
  readonly marks: Patterns;
  /** Marked values: a text that repeats one is hidden anywhere. */
  readonly texts: readonly string[];
}

/** Shorter ones occur in too many texts by chance. */
const shortestRepeated = 8;

/** The sensitivity of a record without marks, or without a declaration. */
export function bySchema(shape: ObjectShape): Sensitivity {
  return { shape, marks: noPatterns, texts: [] };
}

/**
 * The sensitivity of a record with these marked paths (`lifecycle.sensitive`), in all its versions: declared and live.
 */
export function byMarks(shape: ObjectShape, paths: readonly string[], ...records: readonly JsonObject[]): Sensitivity {
  const texts = records.flatMap((record) => markedTexts(shape, paths, record));
  return {
    shape,
    marks: parsePatterns(paths),
    texts: texts.filter(({ length }) => length >= shortestRepeated),
  };
}

/** The texts at the marked paths of a record. */
export function markedTexts(shape: ObjectShape, paths: readonly string[], record: JsonObject): readonly string[] {
  const pointers = paths.flatMap((path) => matchPath(path, shape, record));
  return [...new Set(pointers.flatMap((pointer) => textsIn(valueThere(record, pointer))))];
}

/** Whether the value here is masked wherever it is shown. */
export function shouldMask({ shape, marks }: Sensitivity): boolean {
  return shape.facts.sensitive === true || isMatched(marks);
}

/** Whether anything here or below may be masked. */
export function mayMask({ shape, marks, texts }: Sensitivity): boolean {
  return marks.length > 0 || texts.length > 0 || holdsSensitive(shape);
}

/** Whether a text repeats a marked value. */
export function repeatsMarked({ texts }: Sensitivity, value: JsonValue): boolean {
  return typeof value === 'string' && texts.some((text) => value.includes(text));
}

export function sensitivityOfMember({ shape, marks, texts }: Sensitivity, name: string): Sensitivity {
  return { shape: memberShape(shape, name), marks: patternsBelow(marks, name), texts };
}

/**
 * The sensitivity of one list item. If items have no key, a mark on one applies to all: declared and live positions
 * differ.
 */
export function sensitivityOfItem({ shape, marks, texts }: Sensitivity, item: JsonValue): Sensitivity {
  const key = marks.length > 0 ? itemName(shape, item) : undefined;
  const names = key === undefined ? [] : [key];
  return { shape: itemShape(shape), marks: patternsBelow(marks, ...names), texts };
}
