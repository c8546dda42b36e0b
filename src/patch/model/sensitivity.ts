import { isObject, type JsonObject, type JsonValue } from '../../schema/json/json.ts';
import { textsIn } from '../../schema/json/textsIn.ts';
import { valueThere } from '../../schema/json/valuesAt.ts';
import { holdsSensitive } from '../../schema/shape/anywhere.ts';
import { itemKey } from '../../schema/shape/listKey.ts';
import { matchPath, type PathSegment, parsePath } from '../../schema/shape/paths.ts';
import type { ObjectShape, Shape } from '../../schema/shape/shape.ts';
import { itemShape, memberShape } from './shapeInside.ts';

/** What may not be seen at one place of a record: what the schema says of it, and what its author marked. */
export interface Sensitivity {
  readonly shape: Shape;
  /** What is left of the marked paths here. */
  readonly marks: readonly (readonly PathSegment[])[];
  /** Marked values: a text that repeats one is hidden wherever it stands. */
  readonly texts: readonly string[];
}

/** A shorter one stands in too many texts by chance. */
const shortestRepeated = 8;

const nothing = { marks: [], texts: [] } as const;

/** Of a record whose author marked nothing, or that nobody declares. */
export function bySchema(shape: ObjectShape): Sensitivity {
  return { shape, ...nothing };
}

/** Of a record that is declared so, with the paths that are marked (`lifecycle.sensitive`). */
export function byMarks(shape: ObjectShape, paths: readonly string[], declared: JsonObject): Sensitivity {
  if (paths.length === 0) return bySchema(shape);
  return {
    shape,
    marks: paths.map(parsePath).filter((segments) => segments !== undefined),
    texts: markedTexts(shape, paths, declared).filter(({ length }) => length >= shortestRepeated),
  };
}

/** The texts that stand at the marked paths of a record. */
export function markedTexts(shape: ObjectShape, paths: readonly string[], record: JsonObject): readonly string[] {
  const pointers = paths.flatMap((path) => matchPath(path, shape, record));
  return [...new Set(pointers.flatMap((pointer) => textsIn(valueThere(record, pointer))))];
}

/** Whether the value here may not be seen. */
export function isSensitive({ shape, marks }: Sensitivity): boolean {
  return shape.facts.sensitive === true || marks.some(({ length }) => length === 0);
}

/** Whether anything here or below may be sensitive. */
export function mayHide({ shape, marks, texts }: Sensitivity): boolean {
  return marks.length > 0 || texts.length > 0 || holdsSensitive(shape);
}

/** A text that repeats a marked value. */
export function repeatsMarked({ texts }: Sensitivity, value: JsonValue): boolean {
  return texts.length > 0 && typeof value === 'string' && texts.some((text) => value.includes(text));
}

export function sensitivityOfMember({ shape, marks, texts }: Sensitivity, name: string): Sensitivity {
  const below = marks.length === 0 ? marks : marks.flatMap((path) => stepped(path, name));
  return { shape: memberShape(shape, name), marks: below, texts };
}

/**
 * Of one item of a list. Where items have no key, a mark on one is a mark on all: their places differ between what is
 * declared and what is live.
 */
export function sensitivityOfItem({ shape, marks, texts }: Sensitivity, item: JsonValue): Sensitivity {
  const key = marks.length === 0 ? undefined : keyOf(shape, item);
  return { shape: itemShape(shape), marks: marks.flatMap((path) => stepped(path, key)), texts };
}

function keyOf(shape: Shape, item: JsonValue): string | undefined {
  const list = shape.type === 'list' ? shape.facts.list : undefined;
  return list?.class === 'keyed' && isObject(item) ? itemKey(list.key, item) : undefined;
}

/** `name` undefined: any. */
function stepped(
  [first, ...rest]: readonly PathSegment[],
  name: string | undefined,
): readonly (readonly PathSegment[])[] {
  if (first === undefined) return [];
  return first.any || name === undefined || first.name === name ? [rest] : [];
}
