import type { Due, Row } from '../model/row.ts';
import { RowMemo } from '../model/rowMemo.ts';
import type { Columns } from '../model/storedText.ts';
import type { Connections } from './connections.ts';
import { KnownReads } from './knownReads.ts';
import type { Connection } from './statements.ts';

/** The services of the database for each of its orgs. */
export interface Surroundings {
  readonly connections: Pick<Connections, 'with'>;
  readonly schema: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called in the transaction that schedules it, before the commit. */
  readonly beforeScheduling: (connection: Connection, org: string, due: readonly Due[]) => Promise<void>;
  /** Called after the commit. */
  readonly afterScheduling: (atMs: number) => void;
}

/** The limit of cached rows, entries and scheduled work; beyond it the cache is dropped. */
const mostKnown = 20_000;

/**
 * The cache of this server for one org. It is used only while the generation of the org shows that nobody else has
 * written, so that servers need not coordinate.
 */
export class OrgState {
  readonly org: string;
  readonly surroundings: Surroundings;
  #known = new KnownReads(0);
  readonly #rows = new RowMemo(() => 0);

  constructor(org: string, surroundings: Surroundings) {
    this.org = org;
    this.surroundings = surroundings;
  }

  /** Returns the same object for an unchanged row, so that caches by object are valid. */
  readonly readRow = (columns: Columns): Row => this.#rows.read(columns);

  /** The cache for a transaction that sees the org in this generation. */
  knownOf(generation: number): KnownReads {
    if (this.#known.generation === generation && this.#known.size <= mostKnown) return this.#known;
    const known = new KnownReads(generation);
    if (generation >= this.#known.generation) this.#known = known;
    return known;
  }
}
