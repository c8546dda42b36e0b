import { objectAt } from '../../../../schema/json/json.ts';
import type { Ref } from '../../../../schema/record/ref.ts';
import type { Row } from '../../row.ts';
import { textOfLeaving } from '../../storedRow.ts';
import type { Overlay } from '../overlay/overlay.ts';
import type { WrittenRow } from '../overlay/rowOverlay.ts';
import { journalStatements } from './journalStatements.ts';
import type { Statement, Value } from './statement.ts';

type Present = WrittenRow & { readonly row: Row };

/** The writes of an overlay as a few statements, each with the rows of all works, column by column. */
export function writeStatements(org: string, overlay: Overlay, nowMs: number): readonly Statement[] {
  const written = [...overlay.rows.written].flatMap(([seq, one]) => (one === undefined ? [] : [{ seq, one }]));
  const present = written.flatMap(({ one }) => (one.row === undefined ? [] : [{ ...one, row: one.row }]));
  const removed = written.flatMap(({ seq, one }) => (one.row === undefined && !one.fresh ? [seq] : []));
  const changed = present.filter(({ fresh, targets }) => !fresh && targets !== undefined);
  const rewritten = [...removed, ...changed.map(({ row }) => row.seq)];
  return [
    ...some(rewritten, 'DELETE FROM tags WHERE org = $1 AND seq = ANY($2::bigint[])', org, rewritten),
    ...some(rewritten, 'DELETE FROM targets WHERE org = $1 AND seq = ANY($2::bigint[])', org, rewritten),
    ...some(removed, 'DELETE FROM records WHERE org = $1 AND seq = ANY($2::bigint[])', org, removed),
    ...inserts(
      org,
      present.filter(({ fresh }) => fresh),
    ),
    ...updates(org, changed),
    ...states(
      org,
      present.filter(({ fresh, targets }) => !fresh && targets === undefined),
    ),
    ...tags(org, present),
    ...targetsOf(org, present),
    ...leaving(org, overlay, nowMs),
    ...journalStatements(org, overlay.journal),
  ];
}

function some(items: readonly unknown[], text: string, ...values: readonly Value[]): readonly Statement[] {
  return items.length === 0 ? [] : [{ text, values }];
}

function inserts(org: string, rows: readonly Present[]): readonly Statement[] {
  const columns = 'seq, kind, gvc, name, uid, version, created, modified, record, hidden, state';
  const types =
    '$2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[], $9::bigint[]';
  return some(
    rows,
    `INSERT INTO records (org, ${columns}) SELECT $1, * FROM unnest(${types}, $10::text[], $11::text[], $12::text[])`,
    org,
    rows.map(({ row }) => row.seq),
    rows.map(({ row }) => row.kind),
    rows.map(({ row }) => row.gvc),
    rows.map(({ row }) => row.name),
    rows.map(({ row }) => row.uid),
    rows.map(({ row }) => row.version),
    rows.map(({ row }) => row.createdMs),
    rows.map(({ row }) => row.modifiedMs),
    rows.map(({ row }) => row.recordText),
    rows.map(({ row }) => JSON.stringify(row.hidden)),
    rows.map(({ row }) => JSON.stringify(row.state)),
  );
}

function updates(org: string, rows: readonly Present[]): readonly Statement[] {
  const types = '$2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[]';
  return some(
    rows,
    `UPDATE records r
     SET version = n.version, modified = n.modified, record = n.record, hidden = n.hidden, state = n.state
     FROM unnest(${types}) AS n (seq, version, modified, record, hidden, state) WHERE r.org = $1 AND r.seq = n.seq`,
    org,
    rows.map(({ row }) => row.seq),
    rows.map(({ row }) => row.version),
    rows.map(({ row }) => row.modifiedMs),
    rows.map(({ row }) => row.recordText),
    rows.map(({ row }) => JSON.stringify(row.hidden)),
    rows.map(({ row }) => JSON.stringify(row.state)),
  );
}

function states(org: string, rows: readonly Present[]): readonly Statement[] {
  return some(
    rows,
    `UPDATE records r SET state = n.state FROM unnest($2::bigint[], $3::text[]) AS n (seq, state)
     WHERE r.org = $1 AND r.seq = n.seq`,
    org,
    rows.map(({ row }) => row.seq),
    rows.map(({ row }) => JSON.stringify(row.state)),
  );
}

function tags(org: string, rows: readonly Present[]): readonly Statement[] {
  const all = rows
    .filter(({ targets }) => targets !== undefined)
    .flatMap(({ row }) =>
      Object.entries(objectAt(row.record, 'tags')).map(([key, value]) => ({ row, key, value: String(value) })),
    );
  return some(
    all,
    `INSERT INTO tags (org, seq, kind, key, value)
     SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[])`,
    org,
    all.map(({ row }) => row.seq),
    all.map(({ row }) => row.kind),
    all.map(({ key }) => key),
    all.map(({ value }) => value),
  );
}

function targetsOf(org: string, rows: readonly Present[]): readonly Statement[] {
  const all = rows.flatMap(({ row, targets = [] }) => targets.map((ref: Ref) => ({ row, ref })));
  return some(
    all,
    `INSERT INTO targets (org, seq, kind, gvc, name)
     SELECT DISTINCT $1, n.* FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[]) AS n`,
    org,
    all.map(({ row }) => row.seq),
    all.map(({ ref }) => ref.kind),
    all.map(({ ref }) => ref.gvc ?? ''),
    all.map(({ ref }) => ref.name),
  );
}

/** A name that is used again is no longer shown as deleted. Expired rows are removed with the next deletion. */
function leaving(org: string, overlay: Overlay, nowMs: number): readonly Statement[] {
  const left = [...overlay.rows.left.values()].filter((one) => one !== undefined);
  const taken = [...overlay.rows.written.values()].flatMap((one) =>
    one?.fresh === true && one.row !== undefined ? [one.row] : [],
  );
  const places = [...left.map(({ row }) => row), ...taken];
  return [
    ...some(
      places,
      `DELETE FROM leaving l USING unnest($2::text[], $3::text[], $4::text[]) AS n (kind, gvc, name)
       WHERE l.org = $1 AND l.kind = n.kind AND l.gvc = n.gvc AND l.name = n.name`,
      org,
      places.map(({ kind }) => kind),
      places.map(({ gvc }) => gvc),
      places.map(({ name }) => name),
    ),
    ...some(left, 'DELETE FROM leaving WHERE org = $1 AND until <= $2::bigint', org, nowMs),
    ...some(
      left,
      `INSERT INTO leaving (org, kind, gvc, name, until, row)
       SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[])`,
      org,
      left.map(({ row }) => row.kind),
      left.map(({ row }) => row.gvc),
      left.map(({ row }) => row.name),
      left.map(({ untilMs }) => untilMs),
      left.map(({ row }) => textOfLeaving(row)),
    ),
  ];
}
