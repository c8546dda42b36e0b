import { isArray, type JsonObject, own } from '../../base/json/json.ts';
import { memoByShape } from './memoByShape.ts';
import type { ObjectShape } from './shape.ts';

/** A field that is short for one item of a sibling list (`shortFor` of the facts). */
export interface Shorthand {
  readonly name: string;
  readonly list: string;
  /** The field of the item that has the value. */
  readonly key: string;
}

export const shorthandsOf = memoByShape((shape: ObjectShape): readonly Shorthand[] =>
  [...shape.fields].flatMap(([name, { facts }]) => {
    const list = facts.shortFor;
    const classOf = list === undefined ? undefined : shape.fields.get(list)?.facts.list;
    const key = classOf?.class === 'keyed' ? classOf.key.parts[0]?.fields[0] : undefined;
    return list === undefined || key === undefined ? [] : [{ name, list, key }];
  }),
);

/**
 * The object with its shorthands expanded: `port: 80` as `ports: [{number: 80}]`. The same object if it has none, or
 * has a shorthand together with a list that is not empty (rule W3 refuses that, because it is ambiguous).
 */
export function writtenOut(shape: ObjectShape, object: JsonObject): JsonObject {
  let written = object;
  for (const { name, list, key } of shorthandsOf(shape)) {
    const value = own(written, name) ?? null;
    if (value === null || !isEmptyList(written, list)) continue;
    const { [name]: _, ...rest } = written;
    written = { ...rest, [list]: [{ [key]: value }] };
  }
  return written;
}

function isEmptyList(object: JsonObject, name: string): boolean {
  const value = own(object, name) ?? null;
  return value === null || (isArray(value) && value.length === 0);
}
