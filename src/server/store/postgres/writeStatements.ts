import { objectAt } from '../../../base/json/json.ts';
import type { Ref } from '../../../schema/record/ref.ts';
import type { Row } from '../model/row.ts';
import { rowKey } from '../model/rowKey.ts';
import { textOfLeaving } from '../model/storedRow.ts';
import { type Column, insertion, plain, removal, some, update } from './batch.ts';
import { journalStatements } from './journal.ts';
import type { Overlay } from './overlay.ts';
import type { WrittenRow } from './rowOverlay.ts';
import type { Statement } from './statements.ts';

type Present = WrittenRow & { readonly row: Row };

const state: Column<Row> = ['state', 'text', (row) => JSON.stringify(row.state)];
const changing: readonly Column<Row>[] = [
  ...plain('bigint', 'seq', 'version'),
  ['modified', 'bigint', ({ modifiedMs }) => modifiedMs],
  ['record', 'text', ({ recordText }) => recordText],
  ['hidden', 'text', ({ hidden }) => JSON.stringify(hidden)],
  state,
];
const place = plain('text', 'kind', 'gvc', 'name');
const whole: readonly Column<Row>[] = [
  ...place,
  ...plain('text', 'uid'),
  ['created', 'bigint', ({ createdMs }) => createdMs],
  ...changing,
];

/** The writes of an overlay as a few statements, each with the rows of all works, column by column. */
export function writeStatements(org: string, overlay: Overlay, nowMs: number): readonly Statement[] {
  const written = [...overlay.rows.written].flatMap(([number, one]) => (one === undefined ? [] : [{ number, one }]));
  const present = written.flatMap(({ one }) => (one.row === undefined ? [] : [{ ...one, row: one.row }]));
  const removed = written.flatMap(({ number, one }) => (one.row === undefined && !one.fresh ? [number] : []));
  const made = present.filter(({ fresh }) => fresh).map(({ row }) => row);
  const changed = present.filter(({ fresh, targets }) => !fresh && targets !== undefined).map(({ row }) => row);
  const restated = present.filter(({ fresh, targets }) => !fresh && targets === undefined).map(({ row }) => row);
  const rewritten = [...removed, ...changed.map((row) => row.seq)];
  return [
    ...some(rewritten, 'DELETE FROM tags WHERE org = $1 AND seq = ANY($2::bigint[])', org, rewritten),
    ...some(rewritten, 'DELETE FROM targets WHERE org = $1 AND seq = ANY($2::bigint[])', org, rewritten),
    ...some(removed, 'DELETE FROM records WHERE org = $1 AND seq = ANY($2::bigint[])', org, removed),
    ...insertion(org, { table: 'records', columns: whole, rows: made }),
    ...update(org, { table: 'records', columns: changing, rows: changed }),
    ...update(org, { table: 'records', columns: [...plain('bigint', 'seq'), state], rows: restated }),
    ...tags(org, present),
    ...targetsOf(org, present),
    ...leaving(org, overlay, made, nowMs),
    ...journalStatements(org, overlay.journal),
  ];
}

function tags(org: string, all: readonly Present[]): readonly Statement[] {
  const rows = all
    .filter(({ targets }) => targets !== undefined)
    .flatMap(({ row: { seq, kind, record } }) =>
      Object.entries(objectAt(record, 'tags')).map(([key, value]) => ({ seq, kind, key, value: String(value) })),
    );
  const columns = [...plain('bigint', 'seq'), ...plain('text', 'kind', 'key', 'value')];
  return insertion(org, { table: 'tags', columns, rows });
}

function targetsOf(org: string, all: readonly Present[]): readonly Statement[] {
  const rows = all.flatMap(({ row: { seq }, targets = [] }) =>
    distinct(targets).map(({ kind, gvc = '', name }) => ({ seq, kind, gvc, name })),
  );
  return insertion(org, { table: 'targets', columns: [...plain('bigint', 'seq'), ...place], rows });
}

function distinct(refs: readonly Ref[]): readonly Ref[] {
  return [...new Map(refs.map((ref) => [rowKey(ref), ref])).values()];
}

/** A name that is used again is no longer shown as deleted. Expired rows are removed with the next deletion. */
function leaving(org: string, overlay: Overlay, made: readonly Row[], nowMs: number): readonly Statement[] {
  const rows = [...overlay.rows.left.values()]
    .filter((one) => one !== undefined)
    .map(({ row, untilMs: until }) => ({
      kind: row.kind,
      gvc: row.gvc,
      name: row.name,
      until,
      row: textOfLeaving(row),
    }));
  const columns = [...place, ...plain('bigint', 'until'), ...plain('text', 'row')];
  return [
    ...removal(org, { table: 'leaving', columns: place, rows: [...rows, ...made] }),
    ...some(rows, 'DELETE FROM leaving WHERE org = $1 AND until <= $2::bigint', org, nowMs),
    ...insertion(org, { table: 'leaving', columns, rows }),
  ];
}
