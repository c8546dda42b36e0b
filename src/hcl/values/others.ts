import { isObject, type JsonObject, type JsonValue, own } from '../../base/json/json.ts';
import type { ObjectForm } from '../schema/form.ts';
import type { Value } from '../value.ts';

/**
 * The members of an object that the schema does not declare, as JSON text: those that were written, as far as they are
 * there; without a hint all of them. The text stays where it says what is there.
 */
export function othersOf({ shape }: ObjectForm, live: JsonObject, target: JsonObject, hint: Value | undefined): Value {
  if (hint !== undefined && typeof hint !== 'string') return hint === null ? null : hint;
  const names = Object.keys(hint === undefined ? live : parsed(hint)).filter((name) => !shape.fields.has(name));
  if (hint !== undefined && names.every((name) => own(live, name) === own(target, name))) return hint;
  const found = names.flatMap((name): readonly (readonly [string, JsonValue])[] => {
    const value = own(live, name);
    return value === undefined ? [] : [[name, value]];
  });
  return found.length === 0 ? null : JSON.stringify(Object.fromEntries(found));
}

function parsed(text: string): JsonObject {
  try {
    const value: JsonValue = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {}; // a configuration that is refused
  }
}
