import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { isObject, type JsonObject, type JsonValue, objectAt } from '../../schema/json.ts';
import { creatableKinds, type Kind, readOnlyKinds } from '../../schema/kinds.ts';
import type { Ref } from '../../schema/ref.ts';
import type { ChangedRow, NewRow, Row, Selection, Transaction } from './row.ts';

type Columns = Readonly<Record<string, SQLOutputValue>>;

const kinds: ReadonlyMap<string, Kind> = new Map([...creatableKinds, ...readOnlyKinds].map((kind) => [kind, kind]));

/** The statements of one database. The same one serves every request: SQLite runs one at a time. */
export class SqliteTransaction implements Transaction {
  readonly #database: DatabaseSync;
  readonly #now: () => number;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  get(ref: Ref): Row | undefined {
    return this.#one(
      'SELECT * FROM records WHERE kind = ? AND gvc = ? AND name = ?',
      ref.kind,
      ref.gvc ?? '',
      ref.name,
    );
  }

  byUid(kind: Kind, uid: string): Row | undefined {
    return this.#one('SELECT * FROM records WHERE uid = ? AND kind = ?', uid, kind);
  }

  select({ kind, gvc, tag, names, after, limit }: Selection): readonly Row[] {
    const from = tag === undefined ? 'records r' : 'tags t JOIN records r ON r.seq = t.seq';
    const where = ['r.kind = ?'];
    const values: SQLInputValue[] = [kind];
    function and(condition: string, ...more: readonly SQLInputValue[]): void {
      where.push(condition);
      values.push(...more);
    }
    if (tag !== undefined) and('t.kind = ? AND t.key = ? AND t.value = ?', kind, tag.key, tag.value);
    if (gvc !== undefined) and('r.gvc = ?', gvc);
    if (names !== undefined) and('r.name IN (SELECT value FROM json_each(?))', JSON.stringify(names));
    if (after !== undefined) and('(r.created, r.name, r.seq) > (?, ?, ?)', after.createdMs, after.name, after.seq);
    const text = `SELECT r.* FROM ${from} WHERE ${where.join(' AND ')} ORDER BY r.created, r.name, r.seq LIMIT ?`;
    return this.#all(text, ...values, limit);
  }

  referrers(target: Ref, kind?: Kind): readonly Row[] {
    const text =
      'SELECT r.* FROM targets t JOIN records r ON r.seq = t.seq WHERE t.kind = ? AND t.gvc = ? AND t.name = ?';
    const values = [target.kind, target.gvc ?? '', target.name];
    return kind === undefined
      ? this.#all(`${text} ORDER BY r.seq`, ...values)
      : this.#all(`${text} AND r.kind = ? ORDER BY r.seq`, ...values, kind);
  }

  insert(row: NewRow, targets: readonly Ref[]): void {
    this.#statement('DELETE FROM leaving WHERE kind = ? AND gvc = ? AND name = ?').run(row.kind, row.gvc, row.name);
    const { lastInsertRowid } = this.#statement(
      'INSERT INTO records (kind, gvc, name, uid, version, created, modified, record, hidden, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ).run(row.kind, row.gvc, row.name, row.uid, row.version, row.createdMs, row.modifiedMs, ...texts(row));
    this.#writeTags(Number(lastInsertRowid), row);
    this.#writeTargets(Number(lastInsertRowid), targets);
  }

  update(row: ChangedRow, targets: readonly Ref[]): void {
    this.#statement(
      'UPDATE records SET version = ?, modified = ?, record = ?, hidden = ?, state = ? WHERE seq = ?',
    ).run(row.version, row.modifiedMs, ...texts(row), row.seq);
    this.#statement('DELETE FROM tags WHERE seq = ?').run(row.seq);
    this.#statement('DELETE FROM targets WHERE seq = ?').run(row.seq);
    this.#writeTags(row.seq, row);
    this.#writeTargets(row.seq, targets);
  }

  updateState(row: Row, state: JsonObject): void {
    this.#statement('UPDATE records SET state = ? WHERE seq = ?').run(JSON.stringify(state), row.seq);
  }

  remove(row: Row, untilMs: number | undefined): void {
    this.#statement('DELETE FROM records WHERE seq = ?').run(row.seq);
    if (untilMs === undefined) return;
    this.#statement('DELETE FROM leaving WHERE until <= ?').run(this.#now());
    this.#statement('INSERT OR REPLACE INTO leaving (kind, gvc, name, until, row) VALUES (?, ?, ?, ?, ?)').run(
      row.kind,
      row.gvc,
      row.name,
      untilMs,
      JSON.stringify({ ...row, hidden: {} }),
    );
  }

  leaving(ref: Ref): Row | undefined {
    const found = this.#statement('SELECT row FROM leaving WHERE kind = ? AND gvc = ? AND name = ? AND until > ?').get(
      ref.kind,
      ref.gvc ?? '',
      ref.name,
      this.#now(),
    );
    if (found === undefined) return undefined;
    const row = parseObject(found['row']);
    return {
      seq: numberOf(row['seq']),
      kind: kindOf(row['kind']),
      gvc: textOf(row['gvc']),
      name: textOf(row['name']),
      uid: textOf(row['uid']),
      version: numberOf(row['version']),
      createdMs: numberOf(row['createdMs']),
      modifiedMs: numberOf(row['modifiedMs']),
      record: objectAt(row, 'record'),
      recordText: textOf(row['recordText']),
      hidden: {},
      state: objectAt(row, 'state'),
    };
  }

  leavingIn(gvc: string): boolean {
    const found = this.#statement('SELECT 1 FROM leaving WHERE gvc = ? AND until > ? LIMIT 1').get(gvc, this.#now());
    return found !== undefined;
  }

  nextNumber(): number {
    const row = this.#statement('UPDATE counter SET number = number + 1 RETURNING number').get();
    return numberOf(row?.['number']);
  }

  #writeTargets(seq: number, targets: readonly Ref[]): void {
    if (targets.length === 0) return;
    const insert = this.#statement('INSERT OR IGNORE INTO targets (seq, kind, gvc, name) VALUES (?, ?, ?, ?)');
    for (const { kind, gvc, name } of targets) insert.run(seq, kind, gvc ?? '', name);
  }

  #writeTags(seq: number, row: NewRow): void {
    const insert = this.#statement('INSERT INTO tags (seq, kind, key, value) VALUES (?, ?, ?, ?)');
    for (const [key, value] of Object.entries(objectAt(row.record, 'tags'))) {
      insert.run(seq, row.kind, key, String(value));
    }
  }

  #one(text: string, ...values: readonly SQLInputValue[]): Row | undefined {
    const columns = this.#statement(text).get(...values);
    return columns === undefined ? undefined : toRow(columns);
  }

  #all(text: string, ...values: readonly SQLInputValue[]): readonly Row[] {
    return this.#statement(text)
      .all(...values)
      .map(toRow);
  }

  #statement(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const made = this.#database.prepare(text);
    this.#statements.set(text, made);
    return made;
  }
}

function texts({ record, hidden, state }: NewRow): readonly [string, string, string] {
  return [JSON.stringify(record), JSON.stringify(hidden), JSON.stringify(state)];
}

function toRow(columns: Columns): Row {
  const recordText = textOf(columns['record']);
  let record: JsonObject | undefined;
  return {
    seq: numberOf(columns['seq']),
    kind: kindOf(columns['kind']),
    gvc: textOf(columns['gvc']),
    name: textOf(columns['name']),
    uid: textOf(columns['uid']),
    version: numberOf(columns['version']),
    createdMs: numberOf(columns['created']),
    modifiedMs: numberOf(columns['modified']),
    // Read when it is asked for: most replies need the text only.
    get record() {
      record ??= parseObject(recordText);
      return record;
    },
    recordText,
    hidden: parseObject(columns['hidden']),
    state: parseObject(columns['state']),
  };
}

type Stored = SQLOutputValue | JsonValue | undefined;

function parseObject(text: Stored): JsonObject {
  const value: unknown = text === '{}' ? {} : JSON.parse(textOf(text));
  if (!isObject(value)) throw new Error('the database holds a record that is no object');
  return value;
}

function textOf(value: Stored): string {
  if (typeof value !== 'string') throw new Error('the database holds something else where text belongs');
  return value;
}

function numberOf(value: Stored): number {
  if (typeof value !== 'number') throw new Error('the database holds something else where a number belongs');
  return value;
}

function kindOf(value: Stored): Kind {
  const kind = kinds.get(textOf(value));
  if (kind === undefined)
    throw new Error(`the database holds a kind that this version does not know: ${String(value)}`);
  return kind;
}
