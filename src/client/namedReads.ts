import { setImmediate } from 'node:timers/promises';
import { present } from '../base/json/present.ts';
import type { Kind } from '../schema/record/kinds.ts';
import { formatRef, type Ref, type ResourceId } from '../schema/record/ref.ts';
import { type Collections, type Found, fetchNamed } from './collections.ts';

/** Reads by name for several plans: each name is read once, and simultaneous ones in one query. */
export class NamedReads {
  readonly #asked = new Map<ResourceId, Promise<Found>>();
  readonly #next = new Map<Kind, { readonly refs: Ref[]; readonly found: Promise<Found> }>();

  /** The existing records with these names, and perhaps others. */
  async fetch(client: Collections, kind: Kind, refs: readonly Ref[]): Promise<Found> {
    const found = await Promise.all(new Set(refs.map((ref) => this.#ask(client, kind, ref))));
    return found.reduce(joined, { resources: [] });
  }

  #ask(client: Collections, kind: Kind, ref: Ref): Promise<Found> {
    const id = formatRef(ref);
    const known = this.#asked.get(id);
    if (known !== undefined) return known;
    const { refs, found } = this.#next.get(kind) ?? this.#begin(client, kind);
    refs.push(ref);
    this.#asked.set(id, found);
    return found;
  }

  #begin(client: Collections, kind: Kind) {
    const refs: Ref[] = [];
    const found = setImmediate().then(() => {
      this.#next.delete(kind);
      return fetchNamed(client, kind, refs);
    });
    // Allows a retry after a failure.
    found.catch(() => refs.forEach((ref) => void this.#asked.delete(formatRef(ref))));
    const batch = { refs, found };
    this.#next.set(kind, batch);
    return batch;
  }

  /** Resolves when all requests have been answered or have failed. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#asked.values());
  }
}

function joined(one: Found, other: Found): Found {
  const { unserved = one.unserved, gap = one.gap, absent = [] } = other;
  return {
    resources: [...one.resources, ...other.resources],
    ...present({ unserved, gap }),
    ...present({
      absent: one.absent === undefined && other.absent === undefined ? undefined : [...(one.absent ?? []), ...absent],
    }),
  };
}
