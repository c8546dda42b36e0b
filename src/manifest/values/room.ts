import { isArray, isObject, type JsonValue } from '../../base/json/json.ts';
import { limits } from '../text/limits.ts';
import { type FillFault, tooLong, tooMuch } from './fillFault.ts';

/** Characters that values may put into all manifests of a project together. */
const mostCharacters = 64 * 1_048_576;

/** So that a few values, put in many times, cannot exhaust memory. */
export class Room {
  #nodes: number = limits.aliasedNodes;
  #characters = mostCharacters;

  /** Undefined: there is room. */
  take(value: JsonValue): FillFault | undefined {
    if (typeof value === 'string') {
      if (value.length > limits.scalarLength) return tooLong();
      this.#characters -= value.length;
    } else if (this.#nodes >= 0) this.#nodes -= sizeOf(value);
    if (this.#nodes >= 0 && this.#characters >= 0) return undefined;
    return tooMuch('values.too-many', `the values that are put into manifests are more than can be handled`);
  }
}

/** The values in a list or object; a text counts for each 1,024 characters too. */
function sizeOf(value: JsonValue): number {
  if (typeof value === 'string') return value.length / 1024;
  const members = isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  return members.reduce<number>((sum, member) => sum + 1 + sizeOf(member), 0);
}
