import type { ResourceId } from '../../schema/record/ref.ts';

/**
 * What this process knows of the records of the configuration: one process plans all of its resources. By this a record
 * that an unfinished apply has left is told from one that another resource of the same configuration has.
 */
export class Handled {
  /** By id: the version that was read last. */
  readonly #inState = new Map<string, number | undefined>();
  readonly #toBeAdopted = new Set<string>();
  readonly #toBeCreated = new Set<ResourceId>();

  /** The state has the record with this id. False: it was also planned for a resource that the state does not have. */
  hasInState(uid: string, version?: number): boolean {
    this.#inState.set(uid, version ?? this.#inState.get(uid));
    return !this.#toBeAdopted.has(uid);
  }

  isInState(uid: string): boolean {
    return this.#inState.has(uid);
  }

  versionOf(uid: string): number | undefined {
    return this.#inState.get(uid);
  }

  /** A resource that the state does not have is to get this record. False: the state has it, for another one. */
  adopts(uid: string): boolean {
    if (this.#inState.has(uid)) return false;
    this.#toBeAdopted.add(uid);
    return true;
  }

  /** A resource that the state does not have is to get this name. False: another one is, too. */
  creates(id: ResourceId): boolean {
    const isFirst = !this.#toBeCreated.has(id);
    this.#toBeCreated.add(id);
    return isFirst;
  }
}
