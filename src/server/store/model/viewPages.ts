import { isArray, type JsonValue } from '../../../base/json/json.ts';
import type { Ref } from '../../../schema/record/ref.ts';
import type { DumpedRow, LeavingRow, NewEntry, OrgView, View } from './row.ts';
import { type Columns, dueOf, entryOf, kindOf, leavingOf, numberOf, rowOf, textOf } from './stored.ts';

/**
 * Queries the database at the time of the view. Parameters are `$1`, `$2` and so on, each used once and in this order.
 */
export type ViewQuery = (text: string, values: readonly (string | number)[]) => Promise<readonly Columns[]>;

/** The tables, or subqueries, with the rows of a view. */
export interface ViewTables {
  /** With the column `targets`, a JSON list of `[kind, gvc, name]`. */
  readonly records: string;
  readonly leaving: string;
  readonly entries: string;
  readonly due: string;
  readonly facts: string;
}

interface PagedTable {
  readonly from: string;
  /** Both stores have an index that starts with the org and these columns. */
  readonly key: readonly string[];
  /** The columns whose texts may be long. */
  readonly long: readonly string[];
}

/** The number of rows measured together, and the bytes of rows read together (at least one row). */
const maxMeasuredRows = 500;
const mostBytes = 128 * 1024;

/** A view that reads its tables page by page, so that only a few rows are in memory. */
export function pagedView(query: ViewQuery, tables: ViewTables, close: () => Promise<void>): View {
  function rows(org: string, from: string, key: readonly string[], ...long: readonly string[]): AsyncIterable<Columns> {
    return rowsOf(query, { from, key, long }, org);
  }
  return {
    async orgs() {
      const found = await query(`SELECT org FROM ${tables.facts} WHERE key = 'created' ORDER BY value, org`, []);
      return found.map(({ org }) => textOf(org));
    },
    of: (org): OrgView => ({
      async facts() {
        const found = await query(`SELECT key, value FROM ${tables.facts} WHERE org = $1 ORDER BY key`, [org]);
        return Object.fromEntries(found.map(({ key, value }) => [textOf(key), textOf(value)]));
      },
      records: () => mapped(rows(org, tables.records, ['seq'], 'record', 'hidden', 'state'), dumpedOf),
      leaving: () => mapped(rows(org, tables.leaving, ['kind', 'gvc', 'name'], 'row'), leavingRowOf),
      entries: () => mapped(rows(org, tables.entries, ['journal', 'at', 'seq'], 'body'), newEntryOf),
      due: () => mapped(rows(org, tables.due, ['at', 'seq'], 'about'), dueOf),
    }),
    close,
  };
}

async function* mapped<T>(rows: AsyncIterable<Columns>, read: (columns: Columns) => T): AsyncGenerator<T> {
  for await (const columns of rows) yield read(columns);
}

async function* rowsOf(query: ViewQuery, { from, key, long }: PagedTable, org: string): AsyncGenerator<Columns> {
  const order = key.join(', ');
  // The length of a text is stored with it, so this does not read the text.
  const bytes = long.map((column) => `octet_length(${column})`).join(' + ');
  let after: readonly (string | number)[] = [];
  for (;;) {
    const measured = await query(
      `SELECT ${order}, ${bytes} AS bytes FROM ${from} WHERE org = $1${afterCondition(key, after, 2)}
       ORDER BY ${order} LIMIT ${maxMeasuredRows}`,
      [org, ...after],
    );
    for (let at = 0; at < measured.length; ) {
      at += batchOf(measured, at);
      const last = valuesOf(measured[at - 1] ?? {}, key);
      const until = ` AND (${order}) <= (${placeholders(key, 2 + after.length)})`;
      yield* await query(
        `SELECT * FROM ${from} WHERE org = $1${afterCondition(key, after, 2)}${until} ORDER BY ${order}`,
        [org, ...after, ...last],
      );
      after = last;
    }
    if (measured.length < maxMeasuredRows) return;
  }
}

function batchOf(measured: readonly Columns[], from: number): number {
  let sum = 0;
  for (let at = from; at < measured.length; at += 1) {
    sum += numberOf(measured[at]?.['bytes']);
    if (sum > mostBytes) return Math.max(1, at - from);
  }
  return measured.length - from;
}

function afterCondition(key: readonly string[], after: readonly unknown[], first: number): string {
  return after.length === 0 ? '' : ` AND (${key.join(', ')}) > (${placeholders(key, first)})`;
}

function placeholders(key: readonly string[], first: number): string {
  return key.map((_, at) => `$${first + at}`).join(', ');
}

function valuesOf(columns: Columns, key: readonly string[]): readonly (string | number)[] {
  return key.map((column) => {
    const value = columns[column];
    return typeof value === 'number' ? value : textOf(value);
  });
}

function dumpedOf(columns: Columns): DumpedRow {
  const { seq: _, recordText: __, record, ...row } = rowOf(columns);
  const targets: JsonValue = JSON.parse(textOf(columns['targets']));
  return { ...row, record, targets: isArray(targets) ? targets.map(targetOf) : [] };
}

function targetOf(target: JsonValue): Ref {
  const [kind, gvc, name] = isArray(target) ? target : [];
  const ref = { kind: kindOf(kind), name: textOf(name) };
  return gvc === '' ? ref : { kind: ref.kind, gvc: textOf(gvc), name: ref.name };
}

function leavingRowOf({ until, row }: Columns): LeavingRow {
  const { seq: _, recordText: __, ...left } = leavingOf(textOf(row));
  return { row: left, untilMs: numberOf(until) };
}

function newEntryOf(columns: Columns): NewEntry {
  const { seq: _, ...entry } = entryOf(columns);
  return entry;
}
