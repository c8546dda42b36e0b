import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { type Columns, numberOf } from '../storedText.ts';

/**
 * At most so many rows. SQLite plans a statement anew each time that a bare `LIMIT ?` gets its value, which takes four
 * times as long as a read of one row.
 */
export const limited = 'LIMIT ? + 0';

/** The statements of one database, each prepared once, and for how long counts what they have read. */
export class SqliteStatements {
  readonly #database: DatabaseSync;
  readonly #meant: (text: string) => string;
  readonly #known = new Map<string, StatementSync>();
  readonly #foreignCommits: StatementSync;
  #seenCommits: number;
  #era = 0;
  /** How many statements were asked for that may have changed something. */
  changes = 0;

  /** `meant`: the text that is run in place of another. */
  constructor(database: DatabaseSync, meant: (text: string) => string = (text) => text) {
    this.#database = database;
    this.#meant = meant;
    // Another number after each commit by another connection, in this process or in another one.
    this.#foreignCommits = database.prepare('PRAGMA data_version');
    this.#seenCommits = this.#commits();
  }

  /** What was read under another number, and not written by this connection since, may be another thing now. */
  get era(): number {
    return this.#era;
  }

  /** A transaction has begun: others may have written before it. */
  begun(): void {
    const commits = this.#commits();
    if (commits === this.#seenCommits) return;
    this.#seenCommits = commits;
    this.#era += 1;
  }

  /** Of what was written some does not count any more. */
  undone(): void {
    this.#era += 1;
  }

  of(text: string): StatementSync {
    if (!text.startsWith('SELECT')) this.changes += 1;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const made = this.#database.prepare(this.#meant(text));
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
