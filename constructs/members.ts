import { isArray, isObject, type JsonArray, type JsonObject, type JsonValue } from '../src/base/json/json.ts';
import type { Pointer } from '../src/base/json/pointer.ts';

type Step = string | number;

/** Values that are stored for members of objects and lists of a manifest during its creation. */
export class Members<Value> {
  /** Created with the first member, because most manifests have none. */
  #members: Map<JsonObject | JsonArray, Map<Step, Value>> | undefined;

  set(container: JsonObject | JsonArray, step: Step, value: Value): void {
    this.#members ??= new Map();
    const members = this.#members.get(container);
    if (members === undefined) this.#members.set(container, new Map([[step, value]]));
    else members.set(step, value);
  }

  /** Removes the stored value, because the member has another value now. */
  forget(container: JsonObject | JsonArray, step: Step): void {
    this.#members?.get(container)?.delete(step);
  }

  /** Removes the member: later items of a list move up. */
  remove(container: JsonObject | JsonArray, step: Step): void {
    const members = this.#members?.get(container);
    if (members === undefined) return;
    const others = [...members].filter(([other]) => other !== step);
    const moved = others.map(([other, value]) => {
      const isAfter = typeof step === 'number' && typeof other === 'number' && other > step;
      return [isAfter ? other - 1 : other, value] as const;
    });
    this.#members?.set(container, new Map(moved));
  }

  /** The stored values, with their places, in the order of the manifest. `which`: a filter. */
  in(manifest: JsonObject, which: (value: Value) => boolean = () => true): readonly Found<Value>[] {
    if (this.#members === undefined) return [];
    const isThere = [...this.#members.values()].some((members) => [...members.values()].some(which));
    if (!isThere) return [];
    const found: Found<Value>[] = [];
    this.#collect(manifest, [], found);
    return found.filter(({ value }) => which(value));
  }

  #collect(value: JsonValue, at: Pointer, found: Found<Value>[]): void {
    if (!isArray(value) && !isObject(value)) return;
    for (const [step, member] of this.#members?.get(value) ?? []) found.push({ pointer: [...at, step], value: member });
    if (isArray(value)) for (const [index, item] of value.entries()) this.#collect(item, [...at, index], found);
    else for (const [name, member] of Object.entries(value)) this.#collect(member, [...at, name], found);
  }
}

export interface Found<Value> {
  readonly pointer: Pointer;
  readonly value: Value;
}
