import { isObject, type JsonObject, type JsonValue, own, put } from '../base/json/json.ts';
import type { Pointer } from '../base/json/pointer.ts';
import { valueThere } from '../base/json/valuesAt.ts';
import type { Answer } from '../schema/facts/fieldFacts.ts';
import { type Kind, kindNamed } from '../schema/record/kinds.ts';
import { shapeOf } from './shapeOf.ts';

/** The places of a record that only the response to its creation has. */
export function shownOncePlaces(kind: Kind): readonly Pointer[] {
  const { fields } = shapeOf(kind);
  return [...fields].flatMap(([name, { facts }]) => placesIn(facts.answer, [name]));
}

function placesIn(answer: Answer | undefined, at: Pointer): readonly Pointer[] {
  if (answer?.isShownOnce === true) return [at];
  if (answer?.is !== 'object') return [];
  return Object.entries(answer.members).flatMap(([name, member]) => placesIn(member, [...at, name]));
}

/** Only the part of a record that is shown once. */
export function shownOnceIn(record: JsonObject): JsonObject {
  return withShownOnce(record, {});
}

/** Adds to a later read of a record what only the response to its creation has. */
export function withShownOnce(answer: JsonObject, read: JsonObject): JsonObject {
  const kind = kindNamed(own(answer, 'kind'));
  const places = kind === undefined ? [] : shownOncePlaces(kind);
  return places.reduce<JsonObject>((record, at) => {
    const value = valueThere(answer, at);
    return value === undefined ? record : merged(record, at, value);
  }, read);
}

function merged(record: JsonObject, [step, ...rest]: Pointer, value: JsonValue): JsonObject {
  const name = String(step);
  const inside = own(record, name);
  const copy: Record<string, JsonValue> = { ...record };
  put(copy, name, rest.length === 0 ? value : merged(isObject(inside) ? inside : {}, rest, value));
  return copy;
}
