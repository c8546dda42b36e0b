import { isArray, isObject, type JsonObject, type JsonValue } from '../../../base/json/json.ts';

/** The manifests that files of another platform became. */
export interface Converted {
  readonly manifests: readonly JsonObject[];
  /** Settings without a counterpart, and steps that you have to take yourself. */
  readonly notes: readonly Note[];
}

export interface Note {
  /** `deployment/web spec.strategy`. */
  readonly about: string;
  readonly message: string;
}

/**
 * An object whose members are taken one by one. What nobody took has no counterpart: so the list of it is complete, and no
 * part of the code has to know what it does not know.
 */
export class Source {
  readonly #members: Map<string, JsonValue>;
  readonly #objects = new Map<string, Source>();

  constructor(value: JsonValue | undefined) {
    this.#members = new Map(isObject(value) ? Object.entries(value) : []);
  }

  take(key: string): JsonValue | undefined {
    const value = this.#members.get(key);
    this.#members.delete(key);
    return value;
  }

  has(key: string): boolean {
    return this.#members.has(key);
  }

  keys(): readonly string[] {
    return [...this.#members.keys()];
  }

  /** An empty one where there is none. */
  object(key: string): Source {
    const known = this.#objects.get(key);
    if (known !== undefined) return known;
    const made = new Source(isObject(this.#members.get(key) ?? {}) ? this.take(key) : undefined);
    this.#objects.set(key, made);
    return made;
  }

  objects(key: string): readonly Source[] {
    const list = this.#members.get(key);
    return isArray(list) ? list.map((_, index) => this.#at(key, index, list)) : [];
  }

  /** Numbers and booleans as text. */
  text(key: string): string | undefined {
    const value = this.#members.get(key);
    if (value === undefined || value === null || typeof value === 'object') return undefined;
    this.#members.delete(key);
    return String(value);
  }

  number(key: string): number | undefined {
    const value = this.#members.get(key);
    if (typeof value !== 'number') return undefined;
    this.#members.delete(key);
    return value;
  }

  /** A list of texts; of a text the text alone. */
  texts(key: string): readonly string[] {
    const value = this.take(key);
    return (isArray(value) ? value : value === undefined || value === null ? [] : [value]).map(String);
  }

  /** The paths of everything that nobody took; what is empty says nothing. */
  left(): readonly string[] {
    const own = [...this.#members].filter(([, value]) => !isEmpty(value)).map(([key]) => key);
    const below = [...this.#objects].flatMap(([key, object]) => object.left().map((path) => `${key}.${path}`));
    return [...own, ...below].sort();
  }

  #at(key: string, index: number, list: readonly JsonValue[]): Source {
    const at = `${key}[${index}]`;
    const known = this.#objects.get(at) ?? new Source(list[index]);
    this.#objects.set(at, known);
    if (index === list.length - 1) this.#members.delete(key);
    return known;
  }
}

function isEmpty(value: JsonValue): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}
