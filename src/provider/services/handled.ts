import type { ResourceId } from '../../schema/record/ref.ts';

/** What a plan makes of the record of a resource: it stays under its name, or it is deleted. */
type Fate = 'stays' | 'goes';

/**
 * What this process knows of the records of the configuration: one process plans all of its resources. By this a record
 * that an unfinished apply has left is told from one that another resource of the same configuration has.
 */
export class Handled {
  /** By id: the version that was read last. */
  readonly #inState = new Map<string, number | undefined>();
  readonly #toBeAdopted = new Set<string>();
  readonly #fates = new Map<string, Fate>();
  readonly #claimed = new Set<string>();
  readonly #told = new Set<string>();
  readonly #toBeCreated = new Set<ResourceId>();
  readonly #owners = new Map<string, string | undefined>();

  /** The state has the record with this id. False: it was also planned for a resource that the state does not have. */
  hasInState(uid: string, version?: number): boolean {
    this.#inState.set(uid, version ?? this.#inState.get(uid));
    return !this.#toBeAdopted.has(uid);
  }

  /** What the record says of its owner, as it was read last. */
  hasOwner(uid: string, owner: string | undefined): void {
    this.#owners.set(uid, owner);
  }

  ownerOf(uid: string): string | undefined {
    return this.#owners.get(uid);
  }

  isInState(uid: string): boolean {
    return this.#inState.has(uid);
  }

  versionOf(uid: string): number | undefined {
    return this.#inState.get(uid);
  }

  /** The resource that has this record in the state was planned. True: a new resource is to get its name. */
  plans(uid: string, fate: Fate): boolean {
    this.#fates.set(uid, fate);
    return this.#claimed.has(uid);
  }

  /** A new resource is to get the name of this record. What becomes of that, if it was planned already. */
  claims(uid: string): Fate | undefined {
    this.#claimed.add(uid);
    return this.#fates.get(uid);
  }

  /** Is it the first time that this is told of the record? */
  tells(uid: string): boolean {
    const isFirst = !this.#told.has(uid);
    this.#told.add(uid);
    return isFirst;
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
