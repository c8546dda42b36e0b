import type { Due, Entry, EntrySelection, Journal, NewEntry } from '../row.ts';
import { dueOf, entryOf } from '../storedEntry.ts';
import { entriesQuery } from './entries.ts';
import { limited, type SqliteStatements } from './statements.ts';

/** The journals and the scheduled work of one org. */
export class SqliteJournal {
  readonly #org: string;
  readonly #statements: SqliteStatements;

  constructor(org: string, statements: SqliteStatements) {
    this.#org = org;
    this.#statements = statements;
  }

  add(entry: NewEntry): void {
    const { journal, id, owner, kind, name, subject, context, atMs, body } = entry;
    this.#statements.run(
      `INSERT INTO entries (org, journal, id, owner, kind, name, subject, context, at, body)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[this.#org, journal, id, owner, kind, name, subject, context, atMs, JSON.stringify(body)],
    );
  }

  change({ seq, kind, name, atMs, body }: Entry): void {
    this.#statements.run(
      'UPDATE entries SET kind = ?, name = ?, at = ?, body = ? WHERE seq = ?',
      ...[kind, name, atMs, JSON.stringify(body), seq],
    );
  }

  drop({ seq }: Entry): void {
    this.#statements.run('DELETE FROM entries WHERE seq = ?', seq);
  }

  dropOf(owner: string, journals: readonly Journal[]): void {
    for (const journal of journals) {
      this.#statements.run('DELETE FROM entries WHERE owner = ? AND journal = ?', owner, journal);
    }
  }

  select(selection: EntrySelection): readonly Entry[] {
    const { text, values } = entriesQuery(this.#org, selection);
    return this.#statements.all(text, ...values).map(entryOf);
  }

  schedule({ key, atMs, job, about }: Due): void {
    this.#statements.run(
      'INSERT OR REPLACE INTO due (org, key, at, job, about) VALUES (?, ?, ?, ?, ?)',
      ...[this.#org, key, atMs, job, JSON.stringify(about)],
    );
  }

  unschedule(key: string): void {
    this.#statements.run('DELETE FROM due WHERE org = ? AND key = ?', this.#org, key);
  }

  due(untilMs: number, limit: number): readonly Due[] {
    return this.#statements
      .all(`SELECT * FROM due WHERE org = ? AND at <= ? ORDER BY at, seq ${limited}`, this.#org, untilMs, limit)
      .map(dueOf);
  }
}
