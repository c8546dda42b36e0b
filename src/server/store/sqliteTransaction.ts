import type { SQLInputValue } from 'node:sqlite';
import { type JsonObject, objectAt } from '../../schema/json.ts';
import { isGvcScoped, type Kind } from '../../schema/kinds.ts';
import type { Ref } from '../../schema/ref.ts';
import type {
  ChangedRow,
  Due,
  Entry,
  EntrySelection,
  Journal,
  NewEntry,
  NewRow,
  Row,
  Selection,
  Transaction,
} from './row.ts';
import { SqliteJournal } from './sqliteJournal.ts';
import type { SqliteStatements } from './sqliteStatements.ts';
import { numberOf, textOf } from './sqliteText.ts';
import { placeOf } from './place.ts';
import { RowMemo } from './rowMemo.ts';
import { leavingOf, textOfLeaving } from './storedRow.ts';

/** What the requests of one org do. The same one serves every request: SQLite runs one at a time. */
export class SqliteTransaction implements Transaction {
  readonly org: string;
  readonly #statements: SqliteStatements;
  readonly #journal: SqliteJournal;
  readonly #memo = new RowMemo();
  /** What is at the places that were asked for in this batch, in which nobody else writes. */
  readonly #places = new Map<string, Row | undefined>();
  #batch = 0;
  readonly #now: () => number;
  readonly #onSchedule: (atMs: number) => void;

  constructor(org: string, statements: SqliteStatements, now: () => number, onSchedule: (atMs: number) => void) {
    this.org = org;
    this.#statements = statements;
    this.#journal = new SqliteJournal(org, statements);
    this.#now = now;
    this.#onSchedule = onSchedule;
  }

  get(ref: Ref): Row | undefined {
    if (this.#statements.batch === 0) return this.#read(ref);
    const place = placeOf(ref);
    const met = this.#met();
    const known = met.get(place);
    if (known !== undefined || met.has(place)) return known;
    const row = this.#read(ref);
    met.set(place, row);
    return row;
  }

  byUid(kind: Kind, uid: string): Row | undefined {
    return this.#row('SELECT * FROM records WHERE uid = ? AND kind = ? AND org = ?', uid, kind, this.org);
  }

  elsewhere({ kind, gvc = '', name }: Ref): string | undefined {
    const text = 'SELECT org FROM records WHERE kind = ? AND gvc = ? AND name = ? AND org <> ? LIMIT 1';
    const found = this.#statements.one(text, kind, gvc, name, this.org);
    return found === undefined ? undefined : textOf(found['org']);
  }

  select({ kind, gvc, tag, anyTag, names, seqs, after, limit }: Selection): readonly Row[] {
    const tagged = anyTag === undefined ? undefined : this.#withAnyTag(kind, anyTag);
    // Joined crosswise, so that the tags are looked up first: what else the org holds costs nothing.
    const few =
      seqs === undefined ? tagged : { text: 'SELECT value AS seq FROM json_each(?)', values: [JSON.stringify(seqs)] };
    const some = few === undefined ? 'records r' : `(${few.text}) a CROSS JOIN records r ON r.seq = a.seq`;
    const from = tag === undefined ? some : `${some} JOIN tags t ON t.seq = r.seq`;
    // By name in one place: by the index of names, and not in the order of a list that holds all records.
    const place = names === undefined ? undefined : (gvc ?? (isGvcScoped(kind) ? undefined : ''));
    const where = [place === undefined ? 'r.org = ?' : '+r.org = ?', 'r.kind = ?'];
    const values: SQLInputValue[] = [...(few?.values ?? []), this.org, kind];
    function and(condition: string, ...more: readonly SQLInputValue[]): void {
      where.push(condition);
      values.push(...more);
    }
    if (tag !== undefined) {
      and('t.org = ? AND t.kind = ? AND t.key = ? AND t.value = ?', this.org, kind, tag.key, tag.value);
    }
    if (place !== undefined) and('r.gvc = ?', place);
    else if (gvc !== undefined) and(gvc === '' ? 'r.gvc = ?' : "r.gvc = ? AND r.gvc <> ''", gvc);
    if (names !== undefined) and('r.name IN (SELECT value FROM json_each(?))', JSON.stringify(names));
    if (after !== undefined) and('(r.created, r.name, r.seq) > (?, ?, ?)', after.createdMs, after.name, after.seq);
    const text = `SELECT r.* FROM ${from} WHERE ${where.join(' AND ')} ORDER BY r.created, r.name, r.seq LIMIT ?`;
    return this.#rows(text, ...values, limit);
  }

  #withAnyTag(kind: Kind, tags: NonNullable<Selection['anyTag']>): { text: string; values: readonly SQLInputValue[] } {
    const found = tags.map(({ key, value }) => ({
      text: `SELECT seq FROM tags WHERE org = ? AND kind = ? AND key = ?${value === undefined ? '' : ' AND value = ?'}`,
      values: [this.org, kind, key, ...(value === undefined ? [] : [value])],
    }));
    return { text: found.map(({ text }) => text).join(' UNION '), values: found.flatMap(({ values }) => values) };
  }

  referrers({ kind, gvc = '', name }: Ref, of?: Kind): readonly Row[] {
    const text =
      'SELECT r.* FROM targets t JOIN records r ON r.seq = t.seq WHERE t.org = ? AND t.kind = ? AND t.gvc = ? AND t.name = ?';
    const values = [this.org, kind, gvc, name];
    return of === undefined
      ? this.#rows(`${text} ORDER BY r.seq`, ...values)
      : this.#rows(`${text} AND r.kind = ? ORDER BY r.seq`, ...values, of);
  }

  insert(row: NewRow, targets: readonly Ref[]): void {
    const { kind, gvc, name, uid, version, createdMs, modifiedMs } = row;
    const left = 'DELETE FROM leaving WHERE org = ? AND kind = ? AND gvc = ? AND name = ?';
    this.#statements.run(left, this.org, kind, gvc, name);
    const seq = this.#statements.run(
      'INSERT INTO records (org, kind, gvc, name, uid, version, created, modified, record, hidden, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ...[this.org, kind, gvc, name, uid, version, createdMs, modifiedMs, ...texts(row)],
    );
    this.#writeTags(seq, row);
    this.#writeTargets(seq, targets);
    this.#places.delete(placeOf(row));
  }

  update(row: ChangedRow, targets: readonly Ref[]): void {
    this.#statements.run(
      'UPDATE records SET version = ?, modified = ?, record = ?, hidden = ?, state = ? WHERE seq = ?',
      ...[row.version, row.modifiedMs, ...texts(row), row.seq],
    );
    this.#statements.run('DELETE FROM tags WHERE seq = ?', row.seq);
    this.#statements.run('DELETE FROM targets WHERE seq = ?', row.seq);
    this.#writeTags(row.seq, row);
    this.#writeTargets(row.seq, targets);
    this.#places.delete(placeOf(row));
  }

  updateState(row: Row, state: JsonObject): void {
    this.#statements.run('UPDATE records SET state = ? WHERE seq = ?', JSON.stringify(state), row.seq);
    this.#places.delete(placeOf(row));
  }

  remove(row: Row, untilMs: number | undefined): void {
    this.#statements.run('DELETE FROM records WHERE seq = ?', row.seq);
    this.#places.delete(placeOf(row));
    if (untilMs === undefined) return;
    this.#statements.run('DELETE FROM leaving WHERE until <= ?', this.#now());
    this.leaveUntil(row, untilMs);
  }

  leaveUntil(row: Row, untilMs: number): void {
    this.#statements.run(
      'INSERT OR REPLACE INTO leaving (org, kind, gvc, name, until, row) VALUES (?, ?, ?, ?, ?, ?)',
      ...[this.org, row.kind, row.gvc, row.name, untilMs, textOfLeaving(row)],
    );
  }

  leaving({ kind, gvc = '', name }: Ref): Row | undefined {
    const text = 'SELECT row FROM leaving WHERE org = ? AND kind = ? AND gvc = ? AND name = ? AND until > ?';
    const found = this.#statements.one(text, this.org, kind, gvc, name, this.#now());
    return found === undefined ? undefined : leavingOf(textOf(found['row']));
  }

  leavingIn(gvc: string): boolean {
    const text = 'SELECT 1 FROM leaving WHERE org = ? AND gvc = ? AND until > ? LIMIT 1';
    return this.#statements.one(text, this.org, gvc, this.#now()) !== undefined;
  }

  nextNumber(): number {
    const text =
      "INSERT INTO facts (org, key, value) VALUES (?, 'number', '1') ON CONFLICT DO UPDATE SET value = value + 1 RETURNING CAST(value AS INTEGER) AS number";
    return numberOf(this.#statements.one(text, this.org)?.['number']);
  }

  fact(key: string): string | undefined {
    const found = this.#statements.one('SELECT value FROM facts WHERE org = ? AND key = ?', this.org, key);
    return found === undefined ? undefined : textOf(found['value']);
  }

  setFact(key: string, value: string): void {
    this.#statements.run('INSERT OR REPLACE INTO facts (org, key, value) VALUES (?, ?, ?)', this.org, key, value);
  }

  addEntry(entry: NewEntry): void {
    this.#journal.add(entry);
  }

  changeEntry(entry: Entry): void {
    this.#journal.change(entry);
  }

  dropEntry(entry: Entry): void {
    this.#journal.drop(entry);
  }

  dropEntries(owner: string, journals: readonly Journal[]): void {
    this.#journal.dropOf(owner, journals);
  }

  entries(selection: EntrySelection): readonly Entry[] {
    return this.#journal.select(selection);
  }

  schedule(due: Due): void {
    this.#journal.schedule(due);
    this.#onSchedule(due.atMs);
  }

  unschedule(key: string): void {
    this.#journal.unschedule(key);
  }

  due(untilMs: number, limit: number): readonly Due[] {
    return this.#journal.due(untilMs, limit);
  }

  #read({ kind, gvc = '', name }: Ref): Row | undefined {
    const text = 'SELECT * FROM records WHERE kind = ? AND gvc = ? AND name = ? AND org = ?';
    return this.#row(text, kind, gvc, name, this.org);
  }

  #met(): Map<string, Row | undefined> {
    if (this.#batch !== this.#statements.batch) this.#places.clear();
    this.#batch = this.#statements.batch;
    return this.#places;
  }

  #writeTargets(seq: number, targets: readonly Ref[]): void {
    if (targets.length === 0) return;
    const insert = this.#statements.of(
      'INSERT OR IGNORE INTO targets (seq, org, kind, gvc, name) VALUES (?, ?, ?, ?, ?)',
    );
    for (const { kind, gvc = '', name } of targets) insert.run(seq, this.org, kind, gvc, name);
  }

  #writeTags(seq: number, row: NewRow): void {
    const insert = this.#statements.of('INSERT INTO tags (seq, org, kind, key, value) VALUES (?, ?, ?, ?, ?)');
    for (const [key, value] of Object.entries(objectAt(row.record, 'tags'))) {
      insert.run(seq, this.org, row.kind, key, String(value));
    }
  }

  #row(text: string, ...values: readonly SQLInputValue[]): Row | undefined {
    const columns = this.#statements.one(text, ...values);
    return columns === undefined ? undefined : this.#memo.of(columns);
  }

  #rows(text: string, ...values: readonly SQLInputValue[]): readonly Row[] {
    return this.#statements.all(text, ...values).map((columns) => this.#memo.of(columns));
  }
}

function texts({ record, hidden, state }: NewRow): readonly [string, string, string] {
  return [JSON.stringify(record), JSON.stringify(hidden), JSON.stringify(state)];
}
