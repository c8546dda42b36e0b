import type { Client } from '../../client/client.ts';
import { askTogether, type FirstReads, ownersInQuery } from '../../client/firstReads.ts';
import { NamedReads } from '../../client/namedReads.ts';
import type { Ref } from '../../schema/record/ref.ts';
import type { Store } from '../store/store.ts';

/** How long reads are valid for stacks that run later. */
const longestMs = 15_000;
/** Limit of records that are read ahead: they are stored in memory, about 5 kB each. */
const mostRecords = 4_000;

/** The reads for stacks with one key, in one period. */
export class Reads {
  /** Milliseconds since 1970, by the clock of the store: all reads are later. */
  readonly sinceMs: number;
  readonly #bornMs = performance.now();
  readonly #owners = new Map<string, FirstReads>();
  readonly #named = new NamedReads();
  #isBroken = false;
  #settled: Promise<void> = Promise.resolve();
  /** The capabilities of the platform found by earlier reads. */
  capabilities: Client['capabilities'] | undefined;

  constructor(sinceMs: number) {
    this.sinceMs = sinceMs;
  }

  /** Whether a query failed. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  get isOver(): boolean {
    return this.#isBroken || performance.now() - this.#bornMs > longestMs;
  }

  has(owner: string): boolean {
    return this.#owners.has(owner);
  }

  /**
   * Queries the records of these owners, and these other records, together. If a query fails, the next stacks read
   * again.
   */
  ask(client: Client, owners: readonly string[], others: readonly Ref[]): void {
    const asked = askTogether(client, owners, this.#named);
    const byKind = Map.groupBy(others, ({ kind }) => kind);
    const answers = [
      ...[...asked.values()].flatMap(({ owned, discovery }) => [...owned.values(), discovery]),
      ...[...byKind].map(([kind, refs]) => this.#named.fetch(client, kind, refs)),
    ];
    for (const [owner, reads] of asked) this.#owners.set(owner, reads);
    this.#settled = Promise.all([this.#settled, ...answers]).then(
      () => undefined,
      () => {
        this.#isBroken = true;
      },
    );
  }

  /** Moves the reads out for one plan by this client, so they are no longer stored. */
  take(client: Client, owners: readonly string[]): ReadonlyMap<string, FirstReads> {
    const taken = new Map<string, FirstReads>();
    for (const owner of owners) {
      const found = this.#owners.get(owner);
      if (found !== undefined) taken.set(owner, { ...found, before: client.requests() });
      this.#owners.delete(owner);
    }
    return taken;
  }

  /** Until then the clients of the queries must not be closed. */
  async settled(): Promise<void> {
    await this.#settled;
    await this.#named.settled();
  }
}

/**
 * The reads that stacks of a worker share: of those that run, and those due soon. Reads before a write of the worker,
 * or older than a stack requires, are not used.
 */
export class SharedReads {
  readonly #store: Pick<Store, 'now' | 'dueSoon'>;
  readonly #readsByKey = new Map<string, Reads>();
  #writing = 0;

  constructor(store: Pick<Store, 'now' | 'dueSoon'>) {
    this.#store = store;
  }

  /** The reads made after `sinceMs`. `isNew`: without queries yet. */
  of(key: string, sinceMs: number): { readonly reads: Reads; readonly isNew: boolean } {
    this.forgetOld();
    const kept = this.#readsByKey.get(key);
    if (kept !== undefined && kept.sinceMs >= sinceMs) return { reads: kept, isNew: false };
    const reads = new Reads(this.#store.now());
    if (this.#writing === 0) this.#readsByKey.set(key, reads);
    return { reads, isNew: true };
  }

  forgetOld(): void {
    for (const [key, reads] of this.#readsByKey) if (reads.isOver) this.#readsByKey.delete(key);
  }

  /** Marks the beginning of a write. The returned function marks its end. */
  write(): () => void {
    this.#writing += 1;
    this.#readsByKey.clear();
    return () => {
      this.#writing -= 1;
      this.#readsByKey.clear();
    };
  }

  /** The other stacks of this platform that are due soon: as many as fit into one query, and into memory. */
  async readsDueSoon(
    platform: string,
    reads: Reads,
    owners: readonly string[],
  ): Promise<{ readonly owners: readonly string[]; readonly others: readonly Ref[] }> {
    const all = new Set(owners);
    const others: Ref[] = [];
    let records = 0;
    for (const each of await this.#store.dueSoon(platform, longestMs, ownersInQuery)) {
      if (all.has(each.owner) || reads.has(each.owner)) continue;
      records += each.records;
      if (records > mostRecords || all.size >= ownersInQuery) break;
      all.add(each.owner);
      others.push(...each.others);
    }
    return { owners: [...all].slice(owners.length), others };
  }
}
