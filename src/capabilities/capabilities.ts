import type { AssumptionId } from './assumptions.ts';

/** `holds`: the platform does what is assumed. `otherwise`: it does not. */
export type Finding = 'holds' | 'otherwise';

/** What has been learnt of one platform. Where nothing has, the assumption stands until an answer shows otherwise. */
export class Capabilities {
  readonly #found: Map<AssumptionId, Finding>;

  constructor(known: Iterable<readonly [AssumptionId, Finding]> = []) {
    this.#found = new Map(known);
  }

  /** Undefined: nothing is known yet. */
  of(id: AssumptionId): Finding | undefined {
    return this.#found.get(id);
  }

  isOtherwise(id: AssumptionId): boolean {
    return this.#found.get(id) === 'otherwise';
  }

  learn(id: AssumptionId, finding: Finding): void {
    this.#found.set(id, finding);
  }

  /** All that is known, in the order of the table of assumptions where it was learnt in that order. */
  known(): ReadonlyMap<AssumptionId, Finding> {
    return this.#found;
  }
}
