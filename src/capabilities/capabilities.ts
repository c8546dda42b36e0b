import { type JsonObject, type JsonValue, sameJson } from '../base/json/json.ts';
import type { AssumptionId } from './assumptions.ts';

/** `holds`: the platform does what is assumed. `otherwise`: it does not. */
export type Finding = 'holds' | 'otherwise';

/** The findings about one platform. Where there are none, the assumption stands until an answer shows otherwise. */
export class Capabilities {
  readonly #found: Map<AssumptionId, Finding>;

  readonly #defaults: Map<string, JsonValue>;
  readonly #disproved = new Set<string>();

  constructor(
    known: Iterable<readonly [AssumptionId, Finding]> = [],
    defaults: Iterable<readonly [string, JsonValue]> = [],
  ) {
    this.#found = new Map(known);
    this.#defaults = new Map(defaults);
    if (this.#defaults.size > 0) this.learn('value.defaults', 'otherwise');
  }

  /** Settled when the endpoint's own description has been read: a question of its own waits for it. */
  beingLearnt: Promise<void> | undefined;

  /** Undefined: nothing is known yet. */
  of(id: AssumptionId): Finding | undefined {
    return this.#found.get(id);
  }

  isOtherwise(id: AssumptionId): boolean {
    return this.#found.get(id) === 'otherwise';
  }

  /** Is any of these otherwise? `group`: how their ids begin. */
  anyOtherwise(group: string): boolean {
    return [...this.#found].some(([id, finding]) => id.startsWith(group) && finding === 'otherwise');
  }

  learn(id: AssumptionId, finding: Finding): void {
    this.#found.set(id, finding);
  }

  /** It was only supposed, and has not been shown. */
  forget(id: AssumptionId): void {
    this.#found.delete(id);
  }

  /**
   * The value that the platform fills in where nothing is declared, if it is not the documented one. `path`: dotted,
   * `*` for the items of lists.
   */
  defaultOf(kind: string, path: string): JsonValue | undefined {
    return this.#defaults.get(`${kind} ${path}`);
  }

  /** Two different values of one path are no default: neither counts any more. */
  learnDefault(kind: string, path: string, value: JsonValue): void {
    const before = this.defaultOf(kind, path);
    if (before !== undefined && !sameJson(before, value)) this.unlearnDefault(kind, path);
    this.learn('value.defaults', 'otherwise');
    if (!this.#disproved.has(`${kind} ${path}`)) this.#defaults.set(`${kind} ${path}`, value);
  }

  unlearnDefault(kind: string, path: string): void {
    this.#defaults.delete(`${kind} ${path}`);
    this.#disproved.add(`${kind} ${path}`);
  }

  /** Values that were shown to be no default, by kind and path. */
  disproved(): ReadonlySet<string> {
    return this.#disproved;
  }

  /** By kind and path, with a space between them. */
  defaults(): ReadonlyMap<string, JsonValue> {
    return this.#defaults;
  }

  /** All that is known, in the order of the table of assumptions where it was learnt in that order. */
  known(): ReadonlyMap<AssumptionId, Finding> {
    return this.#found;
  }
}

/**
 * The capabilities of a platform in writing, for a later run. It holds no name and no value that a person wrote: the
 * defaults are the platform's.
 */
export function keptOf(capabilities: Capabilities): JsonObject {
  const defaults = capabilities.defaults();
  return {
    findings: sorted(capabilities.known()),
    ...(defaults.size === 0 ? {} : { defaults: sorted(defaults) }),
  };
}

function sorted(known: ReadonlyMap<string, JsonValue>): JsonObject {
  return Object.fromEntries([...known].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The kind and the path of a default. */
export function placeOf(key: string): readonly [kind: string, path: string] {
  const end = key.indexOf(' ');
  return [key.slice(0, end), key.slice(end + 1)];
}

/** Where they hold, what differs from a declaration is never taken for the platform's own. */
export const storedValues = [
  'value.defaults',
  'value.digests',
  'value.empty',
] as const satisfies readonly AssumptionId[];
