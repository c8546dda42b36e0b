import type { SQLInputValue } from 'node:sqlite';
import { type JsonObject, objectAt, sameJson } from '../../../base/json/json.ts';
import { compact } from '../../../base/json/present.ts';
import { isGvcScoped, type Kind } from '../../../schema/record/kinds.ts';
import type { Ref } from '../../../schema/record/ref.ts';
import { platformContext } from '../../audit/decisions/auditQuery.ts';
import {
  type ChangedRow,
  type Due,
  type Entry,
  type EntrySelection,
  type Journal,
  type NewEntry,
  type NewRow,
  noLimit,
  type Row,
  refOfRow,
  rowKey,
  type Selection,
  type Transaction,
} from '../model/row.ts';
import { RowMemo } from '../model/rowMemo.ts';
import { dueOf, entryOf, leavingOf, numberOf, textOf, textOfLeaving } from '../model/stored.ts';
import { clientAudit, entriesWithIds, platformAudit, subjectName } from './layout.ts';
import { limited, type SqliteStatements } from './statements.ts';

const referring = `FROM targets t JOIN records r ON r.seq = t.seq
  WHERE t.org = ? AND t.kind = ? AND t.gvc = ? AND t.name = ? AND r.kind = ? ORDER BY t.seq`;

/** The journals and the scheduled work of one org. */
class SqliteJournal {
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

const selectableColumns = ['journal', 'id', 'owner', 'kind', 'name', 'subject', 'subjectName', 'context'] as const;

/** In order of selectivity, the highest first. */
const indexedColumns = ['subjectName', 'name', 'kind'] as const;

/** The transactions on one set of tables, one for each org. */
export class SqliteTransactions {
  readonly #made = new Map<string, SqliteTransaction>();
  readonly #statements: SqliteStatements;
  readonly #now: () => number;
  /** The time of the earliest work that the transactions scheduled. */
  earliestMs: number | undefined;

  constructor(statements: SqliteStatements, now: () => number) {
    this.#statements = statements;
    this.#now = now;
  }

  of(org: string): SqliteTransaction {
    const known = this.#made.get(org);
    if (known !== undefined) return known;
    const made = new SqliteTransaction(org, this.#statements, this.#now, (atMs) => this.scheduled(atMs));
    this.#made.set(org, made);
    return made;
  }

  scheduled(atMs: number): void {
    this.earliestMs = Math.min(atMs, this.earliestMs ?? atMs);
  }
}

/** The transaction for all requests of one org, because SQLite runs one at a time. */
export class SqliteTransaction implements Transaction {
  readonly org: string;
  readonly #statements: SqliteStatements;
  readonly #journal: SqliteJournal;
  readonly #memo: RowMemo;
  /** The targets of rows written here. */
  readonly #targets = new WeakMap<Row, string>();
  readonly #now: () => number;
  readonly #onSchedule: (atMs: number) => void;

  constructor(org: string, statements: SqliteStatements, now: () => number, onSchedule: (atMs: number) => void) {
    this.org = org;
    this.#statements = statements;
    this.#journal = new SqliteJournal(org, statements);
    this.#memo = new RowMemo(() => statements.era);
    this.#now = now;
    this.#onSchedule = onSchedule;
  }

  get(ref: Ref): Row | undefined {
    const place = rowKey(ref);
    const known = this.#memo.rowAt(place);
    if (known !== undefined) return known.row;
    const { kind, gvc = '', name } = ref;
    const text = 'SELECT * FROM records WHERE kind = ? AND gvc = ? AND name = ? AND org = ?';
    const row = this.#row(text, kind, gvc, name, this.org);
    this.#memo.keepSeq(place, row?.seq);
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

  select(selection: Selection): readonly Row[] {
    const { kind, limit, ...conditions } = selection;
    const isWhole = limit === noLimit && Object.keys(conditions).length === 0;
    const known = isWhole ? this.#memo.all(kind) : undefined;
    if (known !== undefined) return known;
    const { text, values } = selectionStatement(this.org, selection);
    const rows = this.#numbered(this.#statements.all(text, ...values).map(({ seq }) => numberOf(seq)));
    if (isWhole) this.#memo.keepAll(kind, rows);
    return rows;
  }

  #numbered(numbers: readonly number[]): readonly Row[] {
    const rows = new Map<number, Row>();
    const missing: number[] = [];
    for (const seq of numbers) {
      const known = this.#memo.current(seq);
      if (known === undefined) missing.push(seq);
      else rows.set(seq, known);
    }
    if (missing.length > 0) {
      const text = 'SELECT * FROM records WHERE seq IN (SELECT value FROM json_each(?))';
      for (const row of this.#rows(text, JSON.stringify(missing))) rows.set(row.seq, row);
    }
    return numbers.flatMap((seq) => rows.get(seq) ?? []);
  }

  count(kind: Kind): number {
    const text = 'SELECT count(*) AS count FROM records WHERE org = ? AND kind = ?';
    return numberOf(this.#statements.one(text, this.org, kind)?.['count']);
  }

  referrers({ kind, gvc = '', name }: Ref, of: Kind, limit = noLimit): readonly Row[] {
    const text = `SELECT t.seq ${referring} ${limited}`;
    const found = this.#statements.all(text, this.org, kind, gvc, name, of, limit);
    return this.#numbered(found.map(({ seq }) => numberOf(seq)));
  }

  referrerRefs({ kind, gvc = '', name }: Ref, of: Kind): readonly Ref[] {
    const text = `SELECT r.gvc, r.name ${referring}`;
    return this.#statements
      .all(text, this.org, kind, gvc, name, of)
      .map((row) => refOfRow({ kind: of, gvc: textOf(row['gvc']), name: textOf(row['name']) }));
  }

  insert(row: NewRow, targets: readonly Ref[]): void {
    const { kind, gvc, name, uid, version, createdMs, modifiedMs } = row;
    const left = 'DELETE FROM leaving WHERE org = ? AND kind = ? AND gvc = ? AND name = ?';
    this.#statements.run(left, this.org, kind, gvc, name);
    const texts = textsOf(row);
    const seq = this.#statements.run(
      `INSERT INTO records (org, kind, gvc, name, uid, version, created, modified, record, hidden, state)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[this.org, kind, gvc, name, uid, version, createdMs, modifiedMs, texts.record, texts.hidden, texts.state],
    );
    this.#writeTags(seq, row);
    this.#writeTargets(seq, targets);
    this.#wrote({ ...row, seq }, texts, targets);
  }

  update(row: ChangedRow, targets: readonly Ref[]): void {
    const texts = textsOf(row);
    this.#statements.run(
      'UPDATE records SET version = ?, modified = ?, record = ?, hidden = ?, state = ? WHERE seq = ?',
      ...[row.version, row.modifiedMs, texts.record, texts.hidden, texts.state, row.seq],
    );
    const before = this.#memo.current(row.seq);
    if (before === undefined || !sameJson(tagsOf(before), tagsOf(row))) {
      this.#statements.run('DELETE FROM tags WHERE seq = ?', row.seq);
      this.#writeTags(row.seq, row);
    }
    const known = before === undefined ? undefined : this.#targets.get(before);
    if (known === undefined || known !== targetsText(targets)) {
      this.#statements.run('DELETE FROM targets WHERE seq = ?', row.seq);
      this.#writeTargets(row.seq, targets);
    }
    this.#wrote(row, texts, targets);
  }

  updateState(row: Row, state: JsonObject): void {
    this.#statements.run('UPDATE records SET state = ? WHERE seq = ?', JSON.stringify(state), row.seq);
    this.#memo.forget(row);
  }

  remove(row: Row, untilMs: number | undefined): void {
    this.#statements.run('DELETE FROM records WHERE seq = ?', row.seq);
    this.#memo.forget(row);
    if (untilMs === undefined) return;
    this.#statements.run('DELETE FROM leaving WHERE until <= ?', this.#now());
    this.leaveUntil(row, untilMs);
  }

  leaveUntil(row: NewRow, untilMs: number): void {
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
    const text = `INSERT INTO facts (org, key, value) VALUES (?, 'number', '1')
      ON CONFLICT DO UPDATE SET value = value + 1 RETURNING CAST(value AS INTEGER) AS number`;
    const number = numberOf(this.#statements.one(text, this.org)?.['number']);
    this.#memo.keepFact('number', String(number));
    return number;
  }

  fact(key: string): string | undefined {
    const known = this.#memo.fact(key);
    if (known !== undefined) return known.value;
    const found = this.#statements.one('SELECT value FROM facts WHERE org = ? AND key = ?', this.org, key);
    const value = found === undefined ? undefined : textOf(found['value']);
    this.#memo.keepFact(key, value);
    return value;
  }

  setFact(key: string, value: string): void {
    this.#memo.keepFact(key, value);
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

  #writeTargets(seq: number, targets: readonly Ref[]): void {
    if (targets.length === 0) return;
    const insert = this.#statements.of(
      'INSERT OR IGNORE INTO targets (seq, org, kind, gvc, name) VALUES (?, ?, ?, ?, ?)',
    );
    for (const { kind, gvc = '', name } of targets) insert.run(seq, this.org, kind, gvc, name);
  }

  #writeTags(seq: number, row: NewRow): void {
    const insert = this.#statements.of('INSERT INTO tags (seq, org, kind, key, value) VALUES (?, ?, ?, ?, ?)');
    for (const [key, value] of Object.entries(tagsOf(row))) {
      insert.run(seq, this.org, row.kind, key, String(value));
    }
  }

  #wrote(row: ChangedRow, texts: Texts, targets: readonly Ref[]): void {
    const { seq, kind, gvc, name, uid, version, createdMs, modifiedMs } = row;
    const columns = { seq, org: this.org, kind, gvc, name, uid, version, created: createdMs, modified: modifiedMs };
    this.#targets.set(this.#memo.keepWritten({ ...columns, ...texts }, row), targetsText(targets));
  }

  #row(text: string, ...values: readonly SQLInputValue[]): Row | undefined {
    const columns = this.#statements.one(text, ...values);
    return columns === undefined ? undefined : this.#memo.read(columns);
  }

  #rows(text: string, ...values: readonly SQLInputValue[]): readonly Row[] {
    return this.#statements.all(text, ...values).map((columns) => this.#memo.read(columns));
  }
}

type Texts = Readonly<Record<'hidden' | 'record' | 'state', string>>;

function textsOf({ record, hidden, state }: NewRow): Texts {
  return { record: JSON.stringify(record), hidden: JSON.stringify(hidden), state: JSON.stringify(state) };
}

function tagsOf({ record }: Pick<NewRow, 'record'>): JsonObject {
  return objectAt(record, 'tags');
}

function targetsText(targets: readonly Ref[]): string {
  return targets.length === 0 ? '' : JSON.stringify(targets.map(rowKey));
}

interface SelectionStatement {
  readonly text: string;
  readonly values: readonly SQLInputValue[];
}

/** Selects the numbers of the rows in order. The index alone suffices; most rows are already in memory. */
function selectionStatement(
  org: string,
  { kind, gvc, tag, anyTag, names, below, seqs, after, limit }: Selection,
): SelectionStatement {
  const tagged = anyTag === undefined ? undefined : anyTagStatement(org, kind, anyTag);
  // CROSS JOIN makes SQLite look up the tags first, so that other records cost nothing.
  const candidates =
    seqs === undefined ? tagged : { text: 'SELECT value AS seq FROM json_each(?)', values: [JSON.stringify(seqs)] };
  const some = candidates === undefined ? 'records r' : `(${candidates.text}) a CROSS JOIN records r ON r.seq = a.seq`;
  const from = tag === undefined ? some : `${some} JOIN tags t ON t.seq = r.seq`;
  // Names in one scope use the index of names instead of that of lists, which contains all records.
  const place = names === undefined ? undefined : (gvc ?? (isGvcScoped(kind) ? undefined : ''));
  const where = [place === undefined ? 'r.org = ?' : '+r.org = ?', 'r.kind = ?'];
  const values: SQLInputValue[] = [...(candidates?.values ?? []), org, kind];
  function addCondition(condition: string, ...more: readonly SQLInputValue[]): void {
    where.push(condition);
    values.push(...more);
  }
  if (tag !== undefined) {
    addCondition('t.org = ? AND t.kind = ? AND t.key = ? AND t.value = ?', org, kind, tag.key, tag.value);
  }
  if (place !== undefined) addCondition('r.gvc = ?', place);
  else if (gvc !== undefined) addCondition(gvc === '' ? 'r.gvc = ?' : "r.gvc = ? AND r.gvc <> ''", gvc);
  if (names !== undefined) addCondition('r.name IN (SELECT value FROM json_each(?))', JSON.stringify(names));
  if (below !== undefined) addCondition('substr(r.name, ?) = ?', -below.length - 1, `.${below}`);
  if (after !== undefined)
    addCondition('(r.created, r.name, r.seq) > (?, ?, ?)', after.createdMs, after.name, after.seq);
  const ending = `${where.join(' AND ')} ORDER BY r.created, r.name, r.seq ${limited}`;
  return { text: `SELECT r.seq FROM ${from} WHERE ${ending}`, values: [...values, limit] };
}

function anyTagStatement(org: string, kind: Kind, tags: NonNullable<Selection['anyTag']>): SelectionStatement {
  // One subquery for all keys, because SQLite allows at most 500 in a compound SELECT.
  const keys = tags.filter(({ value }) => value === undefined).map(({ key }) => key);
  const pairs = compact(tags, ({ key, value }) => (value === undefined ? undefined : [key, value]));
  const of = 'SELECT seq FROM tags WHERE org = ? AND kind = ?';
  return {
    text: `${of} AND key IN (SELECT value FROM json_each(?))
      UNION ${of} AND (key, value) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))`,
    values: [org, kind, JSON.stringify(keys), org, kind, JSON.stringify(pairs)],
  };
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
  function addCondition(condition: string, ...more: readonly SQLInputValue[]): void {
    where.push(condition);
    values.push(...more);
  }
  for (const column of left) {
    const value = selection[column];
    const expression = column === 'subjectName' ? subjectName : column;
    // The unary plus makes SQLite compare the column without choosing an index for it.
    if (value !== undefined) addCondition(`${by === undefined || by === column ? '' : '+'}${expression} = ?`, value);
  }
  if (fromMs !== undefined) addCondition('at >= ?', fromMs);
  if (toMs !== undefined) addCondition('at < ?', toMs);
  if (before !== undefined) addCondition('(at, seq) < (?, ?)', before.atMs, before.seq);
  const text = `SELECT * FROM entries WHERE ${where.join(' AND ')} ORDER BY at DESC, seq DESC ${limited}`;
  return { text, values: [...values, limit] };
}

/**
 * The conditions that make SQLite use a partial index, the column by which to choose it, and the other columns to
 * compare.
 */
function auditIndex(selection: EntrySelection): {
  readonly by?: (typeof selectableColumns)[number];
  readonly conditions: readonly string[];
  readonly left: readonly (typeof selectableColumns)[number][];
} {
  const { journal, id, owner, context } = selection;
  if (id !== undefined && journal !== 'event')
    return { by: 'id', conditions: [entriesWithIds], left: selectableColumns };
  const isIndexed = journal === 'audit' && context !== undefined && owner === undefined;
  if (!isIndexed) return { conditions: [], left: selectableColumns };
  if (context !== platformContext) {
    return {
      by: 'context',
      conditions: [clientAudit],
      left: selectableColumns.filter((column) => column !== 'journal'),
    };
  }
  const by = indexedColumns.find((column) => selection[column] !== undefined);
  if (by === undefined) return { conditions: [], left: selectableColumns };
  return {
    by,
    conditions: [platformAudit],
    left: selectableColumns.filter((column) => column !== 'journal' && column !== 'context'),
  };
}
