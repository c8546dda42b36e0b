import { type JsonObject, listAt, objectAt, own } from '../../base/json/json.ts';
import { compact, nonEmpty } from '../../base/json/present.ts';
import type { Body } from '../../manifest/model/body.ts';
import { withoutFields } from './shapeFacts.ts';

export function withTags(body: Body, change: (tags: JsonObject) => JsonObject): Body {
  return body.with((document) => ({ ...document, tags: change(objectAt(document, 'tags')) }));
}

/** The texts of tags that record claims; undefined for a missing tag. */
export type Marks = ReadonlyMap<string, string | undefined>;

/** The record after a write, with these marks. */
export function withMarks(body: Body, marks: Marks): Body {
  return withTags(body, (tags) => ({ ...without(tags, marks), ...textsIn(marks) }));
}

/** A PATCH that sets these marks. `before`: the live tags. */
export function patchWithMarks(body: Body, marks: Marks, before: JsonObject): Body {
  const changed = [...marks].filter(([key, text]) => own(before, key) !== text);
  const gone = changed.flatMap(([key, text]) => (text === undefined ? [key] : []));
  return withTags(body, (tags) => {
    const drop = [...listAt(tags, '$drop').filter((key) => !marks.has(String(key))), ...gone];
    const rest = withoutFields(without(tags, marks), [['$drop']]);
    return { ...rest, ...textsIn(new Map(changed)), ...nonEmpty({ $drop: drop }) };
  });
}

function without(tags: JsonObject, marks: Marks): JsonObject {
  return withoutFields(
    tags,
    [...marks.keys()].map((key) => [key]),
  );
}

function textsIn(marks: Marks): JsonObject {
  return Object.fromEntries(compact([...marks], ([key, text]) => (text === undefined ? undefined : [key, text])));
}
