import type { SQLInputValue } from 'node:sqlite';
import { isGvcScoped, type Kind } from '../../../schema/record/kinds.ts';
import type { Selection } from '../row.ts';
import { limited } from './statements.ts';

export interface SelectionStatement {
  readonly text: string;
  readonly values: readonly SQLInputValue[];
}

/** The numbers of the rows in order. The index alone answers this; most rows are already in memory. */
export function selectionStatement(
  org: string,
  { kind, gvc, tag, anyTag, names, below, seqs, after, limit }: Selection,
): SelectionStatement {
  const tagged = anyTag === undefined ? undefined : withAnyTag(org, kind, anyTag);
  // CROSS JOIN makes SQLite look up the tags first, so that other records cost nothing.
  const few =
    seqs === undefined ? tagged : { text: 'SELECT value AS seq FROM json_each(?)', values: [JSON.stringify(seqs)] };
  const some = few === undefined ? 'records r' : `(${few.text}) a CROSS JOIN records r ON r.seq = a.seq`;
  const from = tag === undefined ? some : `${some} JOIN tags t ON t.seq = r.seq`;
  // Names in one place use the index of names, not that of lists, which contains all records.
  const place = names === undefined ? undefined : (gvc ?? (isGvcScoped(kind) ? undefined : ''));
  const where = [place === undefined ? 'r.org = ?' : '+r.org = ?', 'r.kind = ?'];
  const values: SQLInputValue[] = [...(few?.values ?? []), org, kind];
  function and(condition: string, ...more: readonly SQLInputValue[]): void {
    where.push(condition);
    values.push(...more);
  }
  if (tag !== undefined) {
    and('t.org = ? AND t.kind = ? AND t.key = ? AND t.value = ?', org, kind, tag.key, tag.value);
  }
  if (place !== undefined) and('r.gvc = ?', place);
  else if (gvc !== undefined) and(gvc === '' ? 'r.gvc = ?' : "r.gvc = ? AND r.gvc <> ''", gvc);
  if (names !== undefined) and('r.name IN (SELECT value FROM json_each(?))', JSON.stringify(names));
  if (below !== undefined) and('substr(r.name, ?) = ?', -below.length - 1, `.${below}`);
  if (after !== undefined) and('(r.created, r.name, r.seq) > (?, ?, ?)', after.createdMs, after.name, after.seq);
  const ending = `${where.join(' AND ')} ORDER BY r.created, r.name, r.seq ${limited}`;
  return { text: `SELECT r.seq FROM ${from} WHERE ${ending}`, values: [...values, limit] };
}

function withAnyTag(org: string, kind: Kind, tags: NonNullable<Selection['anyTag']>): SelectionStatement {
  // One subquery for all keys: SQLite allows at most 500 in a compound SELECT.
  const keys = tags.filter(({ value }) => value === undefined).map(({ key }) => key);
  const pairs = tags.flatMap(({ key, value }) => (value === undefined ? [] : [[key, value]]));
  const of = 'SELECT seq FROM tags WHERE org = ? AND kind = ?';
  return {
    text: `${of} AND key IN (SELECT value FROM json_each(?))
      UNION ${of} AND (key, value) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))`,
    values: [org, kind, JSON.stringify(keys), org, kind, JSON.stringify(pairs)],
  };
}
