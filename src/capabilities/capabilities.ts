import { type JsonObject, type JsonValue, sameJson } from '../base/json/json.ts';
import { present } from '../base/json/present.ts';
import type { AssumptionId } from './assumptions.ts';

/** Whether the platform behaves as assumed (`holds`) or not (`otherwise`). */
export type Finding = 'holds' | 'otherwise';

/** The findings about one platform. Without a finding, the assumption stands until a response disproves it. */
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

  /** Resolves when the endpoint's description has been read; separate probes wait for it. */
  beingLearnt: Promise<void> | undefined;

  /** Undefined if nothing is known yet. */
  of(id: AssumptionId): Finding | undefined {
    return this.#found.get(id);
  }

  isOtherwise(id: AssumptionId): boolean {
    return this.#found.get(id) === 'otherwise';
  }

  /** Whether one of these assumptions is wrong. `group`: the prefix of their ids. */
  anyOtherwise(group: string): boolean {
    return [...this.#found].some(([id, finding]) => id.startsWith(group) && finding === 'otherwise');
  }

  learn(id: AssumptionId, finding: Finding): void {
    this.#found.set(id, finding);
  }

  /** Removes a finding that was only supposed, not shown. */
  forget(id: AssumptionId): void {
    this.#found.delete(id);
  }

  /** The platform's default, if it is not the documented one. `path`: dotted, `*` for list items. */
  defaultOf(kind: string, path: string): JsonValue | undefined {
    return this.#defaults.get(`${kind} ${path}`);
  }

  /** Two different values of one path disprove a default: neither counts any more. */
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

  /** Values that are not defaults, by kind and path. */
  disproved(): ReadonlySet<string> {
    return this.#disproved;
  }

  /** By kind and path, separated by a space. */
  defaults(): ReadonlyMap<string, JsonValue> {
    return this.#defaults;
  }

  /** All findings, in the order in which they were learnt. */
  known(): ReadonlyMap<AssumptionId, Finding> {
    return this.#found;
  }
}

/**
 * The saved capabilities of a platform, for a later run. They contain no names and no values of users: the defaults are
 * the platform's.
 */
export function keptOf(capabilities: Capabilities): JsonObject {
  const defaults = capabilities.defaults();
  return {
    findings: sorted(capabilities.known()),
    ...present({ defaults: defaults.size === 0 ? undefined : sorted(defaults) }),
  };
}

function sorted(known: ReadonlyMap<string, JsonValue>): JsonObject {
  return Object.fromEntries([...known].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The kind and path of a default. */
export function placeOf(key: string): readonly [kind: string, path: string] {
  const end = key.indexOf(' ');
  return [key.slice(0, end), key.slice(end + 1)];
}

/** If these hold, no difference from a declaration is attributed to the platform. */
export const storedValues = [
  'value.defaults',
  'value.digests',
  'value.empty',
] as const satisfies readonly AssumptionId[];
