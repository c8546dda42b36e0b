import { compact, present } from '../base/json/present.ts';
import { isNamedByEmail, isUnrevealed } from '../kinds/kindFacts.ts';
import type { LiveResource, Snapshot } from '../manifest/live/snapshot.ts';
import { isContainer, type Kind } from '../schema/record/kinds.ts';
import { formatRef, gvcOf, type Ref, type ResourceId } from '../schema/record/ref.ts';
import type { Client } from './client.ts';
import { type Collections, fetchNamed } from './collections.ts';
import { isCode } from './http/apiError.ts';

/** The requests needed to confirm absence. */
export type AbsenceSource = Collections & Pick<Client, 'read' | 'views' | 'requests'>;

/** Up to this number, names are read one by one; for more, the token's permissions are read first. */
const fewNames = 3;

/**
 * Finds out whether names that lists and queries did not return are absent, or only hidden from this token: lists omit
 * records that cannot be viewed, and a read of one record returns 403 for hidden and 404 for absent.
 *
 * No requests are sent for kinds that the token may view completely, nor for names in a GVC that does not exist.
 * Returns the same snapshot with the findings: records that exist, and hidden ones.
 */
export async function confirmAbsence(
  client: AbsenceSource,
  snapshot: Snapshot,
  refs: readonly Ref[],
): Promise<Snapshot> {
  const before = client.requests();
  const unknown = new Map(refs.flatMap((ref) => unseen(ref, snapshot)));
  if (unknown.size === 0) return snapshot;
  const search = new Search(client, snapshot);
  const gvcs = [...unknown.values()].filter(({ kind }) => isContainer(kind));
  await search.readByName(gvcs);
  const others = [...unknown.values()].filter(({ kind, gvc }) => !isContainer(kind) && search.mayHold(gvc));
  // Names in a GVC that seemed not to exist were not requested before.
  await search.queryByName(others.filter(({ gvc }) => gvc !== undefined && !snapshot.resources.has(`gvc/${gvc}`)));
  await search.readByName(others);
  return search.result(client.requests() - before);
}

/** The name, and the GVC that it would be in, if they were not returned. */
function unseen(ref: Ref, { resources, hidden, absent }: Snapshot): readonly (readonly [ResourceId, Ref])[] {
  return compact([gvcOf(ref), ref])
    .map((each) => [formatRef(each), each] as const)
    .filter(([id]) => !resources.has(id) && hidden?.has(id) !== true && absent?.has(id) !== true);
}

class Search {
  readonly #client: AbsenceSource;
  readonly #snapshot: Snapshot;
  readonly #found = new Map<ResourceId, LiveResource>();
  readonly #hidden = new Map<ResourceId, string>();
  /** Kinds of which queries do not show everything. */
  readonly #gaps = new Map<Kind, string>();

  constructor(client: AbsenceSource, snapshot: Snapshot) {
    this.#client = client;
    this.#snapshot = snapshot;
  }

  /** Whether the record is in no GVC, or in one that exists, hidden or not. */
  mayHold(gvc: string | undefined): boolean {
    const id = `gvc/${gvc}`;
    const { resources, hidden } = this.#snapshot;
    const isThere = resources.has(id) || hidden?.has(id) === true || this.#found.has(id) || this.#hidden.has(id);
    return gvc === undefined || isThere;
  }

  /** Queries names in bulk. */
  async queryByName(refs: readonly Ref[]): Promise<void> {
    const wanted = new Set(refs.map(formatRef));
    const byKind = Map.groupBy(refs, ({ kind }) => kind);
    const queries = [...byKind].map(([kind, each]) => fetchNamed(this.#client, kind, each));
    for (const { resources } of await Promise.all(queries)) {
      for (const live of resources) if (wanted.has(live.id)) this.#found.set(live.id, live);
    }
  }

  /** Reads names one by one, unless the token can view all of the kind. */
  async readByName(refs: readonly Ref[]): Promise<void> {
    const remaining = refs.filter((ref) => !this.#found.has(formatRef(ref)));
    const views = remaining.length > fewNames ? await this.#client.views() : undefined;
    const hideable = remaining.filter(({ kind, gvc }) => views?.all(kind, gvc) !== true);
    await Promise.all(hideable.map((ref) => this.#read(ref)));
  }

  async #read(ref: Ref): Promise<void> {
    const id = formatRef(ref);
    try {
      const live = await this.#client.read(ref);
      if (live === undefined) return;
      this.#found.set(id, { ...live, ref, id });
      if (!isNamedByEmail(ref.kind)) this.#gaps.set(ref.kind, `a query by name left out ${id}`);
    } catch (error) {
      if (!isCode(error, 'api.forbidden')) throw error;
      this.#hidden.set(id, /\[([\w.]+)\]/.exec(error.message)?.[1] ?? 'view');
    }
  }

  result(requests: number): Snapshot {
    const { resources, hidden = new Map(), unrevealed, gaps = new Map() } = this.#snapshot;
    const counted = { ...this.#snapshot, requests: this.#snapshot.requests + requests };
    if (this.#found.size + this.#hidden.size === 0) return counted;
    const closed = [...this.#found.values()].filter(({ ref, record }) => isUnrevealed(ref.kind, record));
    return {
      ...counted,
      resources: new Map([...resources, ...this.#found]),
      hidden: new Map([...hidden, ...this.#hidden]),
      ...present({ gaps: gaps.size + this.#gaps.size === 0 ? undefined : new Map([...this.#gaps, ...gaps]) }),
      unrevealed: new Set([...unrevealed, ...closed.map(({ id }) => id)]),
    };
  }
}
