import type { Due, Row } from '../row.ts';
import { RowMemo } from '../rowMemo.ts';
import type { Columns } from '../storedText.ts';
import { KnownReads } from './overlay/knownReads.ts';
import type { Connections } from './sql/connections.ts';
import type { Connection } from './sql/statement.ts';

/** What the database does for each of its orgs. */
export interface Surroundings {
  readonly connections: Connections;
  readonly schema: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** In the transaction that schedules it, before its commit. */
  readonly beforeScheduling: (connection: Connection, org: string, due: readonly Due[]) => Promise<void>;
  /** After the commit. */
  readonly afterScheduling: (atMs: number) => void;
}

/** Beyond this, what is known is forgotten: rows, entries and due work. */
const mostKnown = 20_000;

/**
 * What this server remembers of one org. It is used only where the generation of the org shows that nobody has written
 * since, so that any number of servers can remember on their own.
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

  /** The same object for a row that is stored as it was when it was read last: what was made from it holds. */
  readonly readRow = (columns: Columns): Row => this.#rows.read(columns);

  /** For a transaction that sees the org in this generation. */
  knownOf(generation: number): KnownReads {
    if (this.#known.generation === generation && this.#known.size <= mostKnown) return this.#known;
    const known = new KnownReads(generation);
    if (generation >= this.#known.generation) this.#known = known;
    return known;
  }
}
