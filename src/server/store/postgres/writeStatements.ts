import { objectAt } from '../../../base/json/json.ts';
import { compact } from '../../../base/json/present.ts';
import type { Ref } from '../../../schema/record/ref.ts';
import { type Entry, type Row, rowKey } from '../model/row.ts';
import { textOfLeaving } from '../model/stored.ts';
import type { JournalOverlay, OrderedDue, Overlay, WrittenRow } from './overlay.ts';
import type { Statement, Value } from './statements.ts';

type PresentRow = WrittenRow & { readonly row: Row };

const stateColumn: Column<Row> = ['state', 'text', (row) => JSON.stringify(row.state)];
const changingColumns: readonly Column<Row>[] = [
  ...plainColumns('bigint', 'seq', 'version'),
  ['modified', 'bigint', ({ modifiedMs }) => modifiedMs],
  ['record', 'text', ({ recordText }) => recordText],
  ['hidden', 'text', ({ hidden }) => JSON.stringify(hidden)],
  stateColumn,
];
const addressColumns = plainColumns('text', 'kind', 'gvc', 'name');
const rowColumns: readonly Column<Row>[] = [
  ...addressColumns,
  ...plainColumns('text', 'uid'),
  ['created', 'bigint', ({ createdMs }) => createdMs],
  ...changingColumns,
];

/** The writes of an overlay as few statements, each with the rows of all works, column by column. */
export function writeStatements(org: string, overlay: Overlay, nowMs: number): readonly Statement[] {
  const written = [...overlay.rows.written].flatMap(([number, one]) => (one === undefined ? [] : [{ number, one }]));
  const present = compact(written, ({ one }) => (one.row === undefined ? undefined : { ...one, row: one.row }));
  const removed = written.flatMap(({ number, one }) => (one.row === undefined && !one.isNew ? [number] : []));
  const inserted = present.filter(({ isNew }) => isNew).map(({ row }) => row);
  const changed = present.filter(({ isNew, targets }) => !isNew && targets !== undefined).map(({ row }) => row);
  const stateOnly = present.filter(({ isNew, targets }) => !isNew && targets === undefined).map(({ row }) => row);
  const rewritten = [...removed, ...changed.map((row) => row.seq)];
  return [
    ...unlessEmpty(rewritten, 'DELETE FROM tags WHERE org = $1 AND seq = ANY($2::bigint[])', org, rewritten),
    ...unlessEmpty(rewritten, 'DELETE FROM targets WHERE org = $1 AND seq = ANY($2::bigint[])', org, rewritten),
    ...unlessEmpty(removed, 'DELETE FROM records WHERE org = $1 AND seq = ANY($2::bigint[])', org, removed),
    ...insertion(org, { table: 'records', columns: rowColumns, rows: inserted }),
    ...update(org, { table: 'records', columns: changingColumns, rows: changed }),
    ...update(org, { table: 'records', columns: [...plainColumns('bigint', 'seq'), stateColumn], rows: stateOnly }),
    ...tagStatements(org, present),
    ...targetStatements(org, present),
    ...leavingStatements(org, overlay, inserted, nowMs),
    ...journalStatements(org, overlay.journal),
  ];
}

function tagStatements(org: string, all: readonly PresentRow[]): readonly Statement[] {
  const rows = all
    .filter(({ targets }) => targets !== undefined)
    .flatMap(({ row: { seq, kind, record } }) =>
      Object.entries(objectAt(record, 'tags')).map(([key, value]) => ({ seq, kind, key, value: String(value) })),
    );
  const columns = [...plainColumns('bigint', 'seq'), ...plainColumns('text', 'kind', 'key', 'value')];
  return insertion(org, { table: 'tags', columns, rows });
}

function targetStatements(org: string, all: readonly PresentRow[]): readonly Statement[] {
  const rows = all.flatMap(({ row: { seq }, targets = [] }) =>
    distinct(targets).map(({ kind, gvc = '', name }) => ({ seq, kind, gvc, name })),
  );
  return insertion(org, { table: 'targets', columns: [...plainColumns('bigint', 'seq'), ...addressColumns], rows });
}

function distinct(refs: readonly Ref[]): readonly Ref[] {
  return [...new Map(refs.map((ref) => [rowKey(ref), ref])).values()];
}

/** A reused name is no longer shown as deleted. Expired rows are removed with the next deletion. */
function leavingStatements(org: string, overlay: Overlay, made: readonly Row[], nowMs: number): readonly Statement[] {
  const rows = compact([...overlay.rows.leaving.values()]).map(({ row, untilMs: until }) => ({
    kind: row.kind,
    gvc: row.gvc,
    name: row.name,
    until,
    row: textOfLeaving(row),
  }));
  const columns = [...addressColumns, ...plainColumns('bigint', 'until'), ...plainColumns('text', 'row')];
  return [
    ...removal(org, { table: 'leaving', columns: addressColumns, rows: [...rows, ...made] }),
    ...unlessEmpty(rows, 'DELETE FROM leaving WHERE org = $1 AND until <= $2::bigint', org, nowMs),
    ...insertion(org, { table: 'leaving', columns, rows }),
  ];
}

const atColumn: Column<Pick<Entry, 'atMs'>> = ['at', 'bigint', ({ atMs }) => atMs];
const bodyColumn: Column<Entry> = ['body', 'text', (entry) => JSON.stringify(entry.body)];
const entryColumns = [
  ...plainColumns('bigint', 'seq'),
  ...plainColumns('text', 'journal', 'id', 'owner', 'kind', 'name', 'subject', 'context'),
  ...[atColumn, bodyColumn],
];
const changingEntryColumns = [
  ...plainColumns('bigint', 'seq'),
  ...plainColumns('text', 'kind', 'name'),
  atColumn,
  bodyColumn,
];
const aboutColumn: Column<OrderedDue> = ['about', 'text', (due) => JSON.stringify(due.about)];
const dueColumns = [...plainColumns('bigint', 'seq'), ...plainColumns('text', 'key', 'job'), atColumn, aboutColumn];

/** The writes of an overlay to journals, scheduled work and facts. */
function journalStatements(org: string, overlay: JournalOverlay): readonly Statement[] {
  const droppedSeqs = [...overlay.changed].flatMap(([number, entry]) => (entry === undefined ? [number] : []));
  const keys = [...overlay.scheduled.keys()];
  const facts = compact([...overlay.facts], ([key, value]) => (value === undefined ? undefined : { key, value }));
  return [
    ...removal(org, {
      table: 'entries',
      columns: plainColumns('text', 'owner', 'journal'),
      rows: presentValues(overlay.dropped),
    }),
    ...unlessEmpty(droppedSeqs, 'DELETE FROM entries WHERE org = $1 AND seq = ANY($2::bigint[])', org, droppedSeqs),
    ...update(org, { table: 'entries', columns: changingEntryColumns, rows: presentValues(overlay.changed) }),
    ...insertion(org, { table: 'entries', columns: entryColumns, rows: presentValues(overlay.added) }),
    ...unlessEmpty(keys, 'DELETE FROM due WHERE org = $1 AND key = ANY($2::text[])', org, keys),
    ...insertion(org, { table: 'due', columns: dueColumns, rows: presentValues(overlay.scheduled) }),
    ...insertion(
      org,
      { table: 'facts', columns: plainColumns('text', 'key', 'value'), rows: facts },
      'ON CONFLICT (org, key) DO UPDATE SET value = excluded.value',
    ),
  ];
}

function presentValues<T>(map: ReadonlyMap<unknown, T | undefined>): readonly T[] {
  return compact([...map.values()]);
}

/** A column of a batch: its name, its type, and its value for a row. */
type Column<T> = readonly [name: string, type: 'bigint' | 'text', of: (row: T) => number | string];

/** Columns with the names of their fields. */
function plainColumns<const Name extends string>(
  type: Column<unknown>[1],
  ...names: readonly Name[]
): readonly Column<Readonly<Record<Name, number | string>>>[] {
  return names.map((name) => [name, type, (row) => row[name]]);
}

/** Rows of one table of an org that one statement writes. */
interface Batch<T> {
  readonly table: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
}

/** Returns no statement if there is nothing to write. */
function unlessEmpty(items: readonly unknown[], text: string, ...values: readonly Value[]): readonly Statement[] {
  return items.length === 0 ? [] : [{ text, values }];
}

/** `ending` follows the rows, for example `ON CONFLICT …`. */
function insertion<T>(org: string, batch: Batch<T>, ending = ''): readonly Statement[] {
  const text = `INSERT INTO ${batch.table} (org, ${namesOf(batch).join(', ')}) SELECT $1, * FROM ${unnested(batch)}`;
  return unlessEmpty(batch.rows, `${text} ${ending}`, org, ...valuesOf(batch));
}

/** Finds the rows by their column `seq` and sets the other columns. */
function update<T>(org: string, batch: Batch<T>): readonly Statement[] {
  const names = namesOf(batch);
  const set = names.filter((name) => name !== 'seq').map((name) => `${name} = n.${name}`);
  const text = `UPDATE ${batch.table} r SET ${set.join(', ')} FROM ${unnested(batch)} AS n (${names.join(', ')})`;
  return unlessEmpty(batch.rows, `${text} WHERE r.org = $1 AND r.seq = n.seq`, org, ...valuesOf(batch));
}

/** Removes the rows that match all of these columns. */
function removal<T>(org: string, batch: Batch<T>): readonly Statement[] {
  const names = namesOf(batch);
  const same = names.map((name) => `r.${name} = n.${name}`).join(' AND ');
  const text = `DELETE FROM ${batch.table} r USING ${unnested(batch)} AS n (${names.join(', ')})`;
  return unlessEmpty(batch.rows, `${text} WHERE r.org = $1 AND ${same}`, org, ...valuesOf(batch));
}

function namesOf<T>({ columns }: Batch<T>): readonly string[] {
  return columns.map(([name]) => name);
}

/** The parameters from `$2` on, one per column, as rows. */
function unnested<T>({ columns }: Batch<T>): string {
  return `unnest(${columns.map(([, type], index) => `$${index + 2}::${type}[]`).join(', ')})`;
}

function valuesOf<T>({ columns, rows }: Batch<T>): readonly Value[] {
  return columns.map(([, , of]) => rows.map(of));
}
