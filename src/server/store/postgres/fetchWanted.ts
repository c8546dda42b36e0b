import { isGvcScoped } from '../../../schema/record/kinds.ts';
import { platformContext } from '../../audit/decisions/auditQuery.ts';
import { type EntrySelection, noLimit, type Row, refOfRow, rowKey, type Selection } from '../model/row.ts';
import { type Columns, dueOf, entryOf, kindOf, leavingOf, numberOf, textOf } from '../model/stored.ts';
import { awaitAll } from './connections.ts';
import {
  type KnownReads,
  keyOf,
  limitOf,
  type ReadResults,
  type StoredLeaving,
  type Wanted,
  type WantedOf,
} from './knownReads.ts';
import { type Connection, type Result, type Statement, send, type Value } from './statements.ts';
import type { Replay } from './transaction.ts';

/** Adds fetched results to the cached reads. */
export type StoreResults = (replay: Pick<Replay, 'foreign' | 'known'>) => void;

/** Fetches all reads in one round trip. A read that several works want is sent once. */
export async function fetchWanted(
  connection: Connection,
  org: string,
  wanted: readonly Wanted[],
  readRow: ReadRow,
): Promise<StoreResults> {
  const distinct = new Map<string, Wanted>();
  for (const one of wanted) {
    const key = `${one.of} ${keyOf(one)}`;
    const other = distinct.get(key);
    if (other === undefined || limitOf(other) < limitOf(one)) distinct.set(key, one);
  }
  const all = [...distinct.values()];
  const results = await awaitAll(all.map((one) => send(connection, readStatement(org, one))));
  function keep<W extends Wanted['of']>(known: KnownReads, _of: W, wanted: WantedOf<W>, { rows }: Result): void {
    known.keep<W>(wanted, resultReaders[wanted.of](rows, readRow));
  }
  return ({ foreign, known }) => {
    for (const [index, result] of results.entries()) {
      const one = all[index];
      if (one !== undefined) keep(one.of === 'elsewhere' ? foreign : known, one.of, one, result);
    }
  };
}

const rowColumns = 'r.seq, r.kind, r.gvc, r.name, r.uid, r.version, r.created, r.modified, r.record, r.hidden, r.state';

class Conditions {
  readonly values: Value[];
  readonly #texts: string[];

  constructor(org: string, text: string) {
    this.values = [org];
    this.#texts = [text];
  }

  /** Adds a condition; `?` in the text represents the next value. */
  and(text: string, ...values: readonly Value[]): this {
    let next = this.values.length;
    this.#texts.push(
      text.replaceAll('?', () => {
        next += 1;
        return `$${next}`;
      }),
    );
    this.values.push(...values);
    return this;
  }

  ending(order: string, limit: number): string {
    const all = limit === noLimit;
    if (!all) this.values.push(limit);
    return `${this.#texts.join(' AND ')} ORDER BY ${order}${all ? '' : ` LIMIT $${this.values.length}`}`;
  }
}

export function readStatement(org: string, wanted: Wanted): Statement {
  switch (wanted.of) {
    case 'row':
      return {
        text: `SELECT ${rowColumns} FROM records r WHERE kind = $2 AND gvc = $3 AND name = $4 AND org = $1`,
        values: [org, wanted.ref.kind, wanted.ref.gvc ?? '', wanted.ref.name],
      };
    case 'uid':
      return {
        text: `SELECT ${rowColumns} FROM records r WHERE uid = $3 AND kind = $2 AND org = $1`,
        values: [org, wanted.kind, wanted.uid],
      };
    case 'elsewhere':
      return {
        text: 'SELECT org FROM records WHERE kind = $2 AND gvc = $3 AND name = $4 AND org <> $1 LIMIT 1',
        values: [org, wanted.ref.kind, wanted.ref.gvc ?? '', wanted.ref.name],
      };
    case 'rows':
      return rowsStatement(org, wanted.selection);
    case 'count':
      return { text: 'SELECT count(*) AS count FROM records WHERE org = $1 AND kind = $2', values: [org, wanted.kind] };
    case 'referrers':
      return referrersStatement(org, wanted, rowColumns, wanted.limit);
    case 'referrerRefs':
      return referrersStatement(org, wanted, 'r.seq, r.kind, r.gvc, r.name', noLimit);
    case 'leaving':
      return { text: 'SELECT until, row FROM leaving WHERE org = $1 AND gvc = $2', values: [org, wanted.gvc] };
    case 'fact':
      return { text: 'SELECT value FROM facts WHERE org = $1 AND key = $2', values: [org, wanted.key] };
    case 'entries':
      return entriesStatement(org, wanted.selection, wanted.without);
    case 'due': {
      const where = new Conditions(org, 'org = $1');
      return { text: `SELECT * FROM due WHERE ${where.ending('at, seq', wanted.limit)}`, values: where.values };
    }
  }
}

function referrersStatement(
  org: string,
  { target, kind: of }: Pick<WantedOf<'referrers'>, 'kind' | 'target'>,
  columns: string,
  limit: number,
): Statement {
  const { kind, gvc = '', name } = target;
  const where = new Conditions(org, 't.org = $1')
    .and('t.kind = ? AND md5(t.gvc) = md5(?) AND md5(t.name) = md5(?)', kind, gvc, name)
    .and('r.kind = ?', of);
  // Reads each row by number. For a plain join, without statistics of newly filled tables, the planner scans all
  // records of the kind for each number.
  const rows = 'CROSS JOIN LATERAL (SELECT * FROM records WHERE org = t.org AND seq = t.seq LIMIT 1) r';
  return {
    text: `SELECT ${columns} FROM targets t ${rows} WHERE ${where.ending('r.seq', limit)}`,
    values: where.values,
  };
}

function rowsStatement(
  org: string,
  { kind, gvc, tag, anyTag, names, below, seqs, after, limit }: Selection,
): Statement {
  // Names in one scope need their own index, because the indexes of lists, which begin with the org, would not find them.
  // Without statistics the planner considers all indexes equal.
  const place = names === undefined ? undefined : (gvc ?? (isGvcScoped(kind) ? undefined : ''));
  const ofOrg = place === undefined ? 'r.org = $1' : 'r.org IS NOT DISTINCT FROM $1';
  const where = new Conditions(org, ofOrg).and('r.kind = ?', kind);
  if (tag !== undefined) {
    where.and(
      't.org = r.org AND t.kind = ? AND md5(t.key) = md5(?) AND md5(t.value) = md5(?)',
      kind,
      tag.key,
      tag.value,
    );
  }
  if (anyTag !== undefined) {
    const each = anyTag.map(
      ({ value }) => `(md5(key) = md5(?)${value === undefined ? '' : ' AND md5(value) = md5(?)'})`,
    );
    where.and(
      `r.seq IN (SELECT seq FROM tags WHERE org = r.org AND kind = ? AND (${each.join(' OR ')}))`,
      kind,
      ...anyTag.flatMap(({ key, value }) => (value === undefined ? [key] : [key, value])),
    );
  }
  if (place !== undefined) where.and('r.gvc = ?', place);
  else if (gvc !== undefined) where.and(gvc === '' ? 'r.gvc = ?' : "r.gvc = ? AND r.gvc <> ''", gvc);
  if (seqs !== undefined) where.and('r.seq = ANY(?::bigint[])', seqs);
  if (names !== undefined) where.and('r.name = ANY(?::text[])', names);
  if (below !== undefined) where.and('right(r.name, ?::int) = ?', below.length + 1, `.${below}`);
  if (after !== undefined) {
    where.and(
      '(r.created, r.name, r.seq) > (?::bigint, ?, ?::bigint)',
      toInteger(after.createdMs),
      after.name,
      toInteger(after.seq),
    );
  }
  const from = tag === undefined ? 'records r' : 'tags t JOIN records r ON r.org = t.org AND r.seq = t.seq';
  const ending = where.ending('r.created, r.name, r.seq', limit);
  const statement = { text: `SELECT ${rowColumns} FROM ${from} WHERE ${ending}`, values: where.values };
  // A tag may match one record or all of them.
  return tag === undefined ? statement : { ...statement, plannedEachTime: true };
}

function entriesStatement(org: string, selection: EntrySelection, without: readonly string[]): Statement {
  const { journal, context, fromMs, toMs, before, limit } = selection;
  const where = new Conditions(org, 'org = $1');
  // This text equals that in the partial indexes of the audit trail; with a parameter the planner cannot know that they
  // apply.
  const isAudit = journal === 'audit' && context !== undefined;
  if (!isAudit) where.and('journal = ?', journal);
  else if (context === platformContext) where.and(`journal = 'audit' AND context = '${platformContext}'`);
  else where.and(`journal = 'audit' AND context <> '${platformContext}' AND md5(context) = md5(?)`, context);
  for (const column of ['id', 'owner', 'kind', 'name', 'subject', 'subjectName', 'context'] as const) {
    const value = selection[column];
    if (value !== undefined && !(isAudit && column === 'context')) where.and(comparison(column, value), value);
  }
  if (fromMs !== undefined) where.and('at >= ?::bigint', toInteger(fromMs));
  if (toMs !== undefined) where.and('at < ?::bigint', toInteger(toMs));
  if (before !== undefined)
    where.and('(at, seq) < (?::bigint, ?::bigint)', toInteger(before.atMs), toInteger(before.seq));
  if (without.length > 0) where.and('owner <> ALL(?::text[])', without);
  return { text: `SELECT * FROM entries WHERE ${where.ending('at DESC, seq DESC', limit)}`, values: where.values };
}

/** The same expression as in the indexes. */
function comparison(column: string, value: string): string {
  if (column === 'subjectName') return "md5(substring(subject from '[^/]*$')) = md5(?)";
  if (column === 'id' || column === 'name') return `md5(${column}) = md5(?)`;
  return column === 'owner' && value !== '' ? "owner = ? AND owner <> ''" : `${column} = ?`;
}

/** Rounds up, because stored numbers are integers, but cursors and times from clients may be any number. */
function toInteger(value: number): number {
  const most = Number.MAX_SAFE_INTEGER;
  return Number.isNaN(value) ? 0 : Math.min(most, Math.max(-most, Math.ceil(value)));
}

type ReadRow = (columns: Columns) => Row;

type ResultReaders = {
  readonly [W in keyof ReadResults]: (rows: readonly Columns[], readRow: ReadRow) => ReadResults[W];
};

/** Reads the result of each statement. `readRow`: for rows of the table `records`. */
const resultReaders: ResultReaders = {
  row: ([row], readRow) => (row === undefined ? undefined : readRow(row)),
  uid: ([row], readRow) => (row === undefined ? undefined : readRow(row)),
  elsewhere: ([row]) => (row === undefined ? undefined : textOf(row['org'])),
  rows: (rows, readRow) => rows.map(readRow),
  count: ([row]) => numberOf(row?.['count']),
  referrers: (rows, readRow) => rows.map(readRow),
  referrerRefs: (rows) =>
    rows.map(({ seq, kind, gvc, name }) => ({
      seq: numberOf(seq),
      ref: refOfRow({ kind: kindOf(kind), gvc: textOf(gvc), name: textOf(name) }),
    })),
  leaving: (rows) => leavingRows(rows),
  fact: ([row]) => (row === undefined ? undefined : textOf(row['value'])),
  entries: (rows) => rows.map(entryOf),
  due: (rows) => rows.map((row) => ({ ...dueOf(row), seq: numberOf(row['seq']) })),
};

function leavingRows(rows: readonly Columns[]): StoredLeaving {
  const found = new Map<string, { readonly row: Row; readonly untilMs: number }>();
  for (const { until, row: text } of rows) {
    const row = leavingOf(textOf(text));
    found.set(rowKey(row), { row, untilMs: numberOf(until) });
  }
  return found;
}
