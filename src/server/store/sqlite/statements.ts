import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { type Columns, numberOf } from '../model/stored.ts';

/**
 * A row limit. With a plain `LIMIT ?` SQLite prepares the statement again for each value, which takes four times as
 * long as reading one row.
 */
export const limited = 'LIMIT ? + 0';

/** The prepared statements of one database, and the era in which cached reads are valid. */
export class SqliteStatements {
  readonly #database: DatabaseSync;
  readonly #rewrite: (text: string) => string;
  readonly #known = new Map<string, StatementSync>();
  readonly #foreignCommits: StatementSync;
  #seenCommits: number;
  #era = 0;
  /** The number of executed statements that may have changed data. */
  changes = 0;

  /** `rewrite` changes each text before it is prepared. */
  constructor(database: DatabaseSync, rewrite: (text: string) => string = (text) => text) {
    this.#database = database;
    this.#rewrite = rewrite;
    // This value changes with each commit of another connection, in any process.
    this.#foreignCommits = database.prepare('PRAGMA data_version');
    this.#seenCommits = this.#commits();
  }

  /** Reads of an earlier era may be outdated, except for data that this connection has written since. */
  get era(): number {
    return this.#era;
  }

  /** Must be called at the start of a transaction: other connections may have written before it. */
  begun(): void {
    const commits = this.#commits();
    if (commits === this.#seenCommits) return;
    this.#seenCommits = commits;
    this.#era += 1;
  }

  /** Must be called when writes were rolled back. */
  undone(): void {
    this.#era += 1;
  }

  of(text: string): StatementSync {
    if (!text.startsWith('SELECT')) this.changes += 1;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const made = this.#database.prepare(this.#rewrite(text));
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

  #commits(): number {
    return numberOf(this.#foreignCommits.get()?.['data_version']);
  }
}
