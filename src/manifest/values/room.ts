import { isArray, isObject, type JsonValue } from '../../schema/json/json.ts';
import { limits } from '../text/limits.ts';
import { type FillFault, tooLong, tooMuch } from './fillFault.ts';

/** Characters that values may put into all manifests of a project together. */
const mostCharacters = 64 * 1_048_576;

/** So that a few values, put in many times, cannot exhaust memory. */
export class Room {
  #nodes: number = limits.aliasedNodes;
  #characters = mostCharacters;
  readonly #sizes = new WeakMap<object, number>();

  /** Undefined: there is room. */
  take(value: JsonValue): FillFault | undefined {
    if (typeof value === 'string') {
      if (value.length > limits.scalarLength) return tooLong();
      this.#characters -= value.length;
    } else this.#nodes -= this.#sizeOf(value);
    if (this.#nodes >= 0 && this.#characters >= 0) return undefined;
    return tooMuch('values.too-many', `the values that are put into manifests are more than can be handled`);
  }

  #sizeOf(value: JsonValue): number {
    if (!isArray(value) && !isObject(value)) return typeof value === 'string' ? 1 + value.length / 1024 : 0;
    const known = this.#sizes.get(value);
    if (known !== undefined) return known;
    const members = isArray(value) ? value : Object.values(value);
    const size = members.reduce<number>((sum, member) => sum + this.#sizeOf(member) + 1, 0);
    this.#sizes.set(value, size);
    return size;
  }
}
