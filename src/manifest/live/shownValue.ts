import { isObject, type JsonValue } from '../../base/json/json.ts';
import { mayBeMasked } from '../../base/json/masked.ts';
import { equalValues } from '../../kinds/normalForm/equal.ts';
import type { RecordContext } from '../../schema/record/ref.ts';
import type { Shape } from '../../schema/shape/shape.ts';

/**
 * A value as the platform shows it without revealing it: the value itself, or a mask. It can only be compared with a
 * declared value. It is written nowhere: not to the platform, not to a file, not to a terminal.
 */
export class ShownValue {
  readonly #value: JsonValue;

  constructor(value: JsonValue) {
    this.#value = value;
  }

  /** `other`: it is a whole value of this form, with nothing in it that may be a mask. */
  comparedWith(shape: Shape, declared: JsonValue, context: RecordContext): 'same' | 'other' | 'unknown' {
    if (equalValues(shape, this.#value, declared, context)) return 'same';
    return !mayBeMasked(this.#value) && isOfForm(shape, this.#value) ? 'other' : 'unknown';
  }

  toJSON(): undefined {
    return undefined;
  }
}

function isOfForm(shape: Shape, value: JsonValue): boolean {
  if (shape.facts.jsonText === true) return typeof value === 'string' && value.trimStart().startsWith('{');
  if (!isObject(value)) return false;
  const names = Object.keys(value);
  if (shape.type === 'map') return true;
  if (shape.type !== 'object') return false;
  return (
    names.every((name) => shape.fields.has(name)) && [...(shape.required ?? [])].every((name) => names.includes(name))
  );
}
