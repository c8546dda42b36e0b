import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Columns } from './sqliteText.ts';

/** The statements of one database, each prepared once. */
export class SqliteStatements {
  readonly #database: DatabaseSync;
  readonly #known = new Map<string, StatementSync>();
  /** How many statements were asked for that may have changed something. */
  changes = 0;
  #batch = 0;
  #batches = 0;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** While this process alone may write: another number for each such time. 0: others may have written meanwhile. */
  get batch(): number {
    return this.#batch;
  }

  /** From now on nobody else writes; or: what was read in this time so far counts no longer. */
  beginBatch(): void {
    this.#batches += 1;
    this.#batch = this.#batches;
  }

  endBatch(): void {
    this.#batch = 0;
  }

  of(text: string): StatementSync {
    if (!text.startsWith('SELECT')) this.changes += 1;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const made = this.#database.prepare(text);
    this.#known.set(text, made);
    return made;
  }

  one(text: string, ...values: readonly SQLInputValue[]): Columns | undefined {
    return this.of(text).get(...values);
  }

  all(text: string, ...values: readonly SQLInputValue[]): readonly Columns[] {
    return this.of(text).all(...values);
  }

  run(text: string, ...values: readonly SQLInputValue[]): number {
    return Number(this.of(text).run(...values).lastInsertRowid);
  }
}
