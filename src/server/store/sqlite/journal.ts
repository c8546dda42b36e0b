import type { SQLInputValue } from 'node:sqlite';
import { ownContext } from '../../audit/decisions/auditQuery.ts';
import type { Due, Entry, EntrySelection, Journal, NewEntry } from '../model/row.ts';
import { dueOf, entryOf } from '../model/storedEntry.ts';
import { named, othersAudit, ownAudit, subjectName } from './layout.ts';
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

/** The statement that reads entries, with its parameters. */
export function entriesQuery(
  org: string,
  selection: EntrySelection,
): { readonly text: string; readonly values: readonly SQLInputValue[] } {
  const { fromMs, toMs, before, limit } = selection;
  const { by, conditions, left } = auditIndex(selection);
  const where = [by === 'id' ? '+org = ?' : 'org = ?', ...conditions];
  const values: SQLInputValue[] = [org];
  function and(condition: string, ...more: readonly SQLInputValue[]): void {
    where.push(condition);
    values.push(...more);
  }
  for (const column of left) {
    const value = selection[column];
    const compared = column === 'subjectName' ? subjectName : column;
    // The unary plus makes SQLite compare the column without choosing an index for it.
    if (value !== undefined) and(`${by === undefined || by === column ? '' : '+'}${compared} = ?`, value);
  }
  if (fromMs !== undefined) and('at >= ?', fromMs);
  if (toMs !== undefined) and('at < ?', toMs);
  if (before !== undefined) and('(at, seq) < (?, ?)', before.atMs, before.seq);
  const text = `SELECT * FROM entries WHERE ${where.join(' AND ')} ORDER BY at DESC, seq DESC ${limited}`;
  return { text, values: [...values, limit] };
}

const columns = ['journal', 'id', 'owner', 'kind', 'name', 'subject', 'subjectName', 'context'] as const;

/** The most selective one first. */
const indexed = ['subjectName', 'name', 'kind'] as const;

/**
 * The conditions that make SQLite use a partial index, the column to choose it by, and the remaining columns to
 * compare.
 */
function auditIndex(selection: EntrySelection): {
  readonly by?: (typeof columns)[number];
  readonly conditions: readonly string[];
  readonly left: readonly (typeof columns)[number][];
} {
  const { journal, id, owner, context } = selection;
  if (id !== undefined && journal !== 'event') return { by: 'id', conditions: [named], left: columns };
  const isIndexed = journal === 'audit' && context !== undefined && owner === undefined;
  if (!isIndexed) return { conditions: [], left: columns };
  if (context !== ownContext) {
    return { by: 'context', conditions: [othersAudit], left: columns.filter((column) => column !== 'journal') };
  }
  const by = indexed.find((column) => selection[column] !== undefined);
  if (by === undefined) return { conditions: [], left: columns };
  return { by, conditions: [ownAudit], left: columns.filter((column) => column !== 'journal' && column !== 'context') };
}
