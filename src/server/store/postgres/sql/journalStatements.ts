import type { Entry } from '../../row.ts';
import type { JournalOverlay } from '../overlay/journalOverlay.ts';
import type { Statement, Value } from './statement.ts';

/** The same for journals, scheduled work and facts. */
export function journalStatements(org: string, overlay: JournalOverlay): readonly Statement[] {
  const added = present(overlay.added);
  const changed = present(overlay.changed);
  const gone = [...overlay.changed].flatMap(([seq, entry]) => (entry === undefined ? [seq] : []));
  const dropped = [...overlay.dropped.values()].filter((one) => one !== undefined);
  const keys = [...overlay.scheduled.keys()];
  const scheduled = [...overlay.scheduled.values()].filter((one) => one !== undefined);
  const facts = [...overlay.facts].flatMap(([key, value]) => (value === undefined ? [] : [{ key, value }]));
  return [
    ...some(
      dropped,
      `DELETE FROM entries e USING unnest($2::text[], $3::text[]) AS n (owner, journal)
       WHERE e.org = $1 AND e.owner = n.owner AND e.journal = n.journal`,
      org,
      dropped.map(({ owner }) => owner),
      dropped.map(({ journal }) => journal),
    ),
    ...some(gone, 'DELETE FROM entries WHERE org = $1 AND seq = ANY($2::bigint[])', org, gone),
    ...some(
      changed,
      `UPDATE entries e SET kind = n.kind, name = n.name, at = n.at, body = n.body
       FROM unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::text[]) AS n (seq, kind, name, at, body)
       WHERE e.org = $1 AND e.seq = n.seq`,
      org,
      ...columns(changed, ['seq', 'kind', 'name', 'atMs']),
      changed.map(({ body }) => JSON.stringify(body)),
    ),
    ...some(
      added,
      `INSERT INTO entries (org, seq, journal, id, owner, kind, name, subject, context, at, body)
       SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
         $9::text[], $10::bigint[], $11::text[])`,
      org,
      ...columns(added, ['seq', 'journal', 'id', 'owner', 'kind', 'name', 'subject', 'context', 'atMs']),
      added.map(({ body }) => JSON.stringify(body)),
    ),
    ...some(keys, 'DELETE FROM due WHERE org = $1 AND key = ANY($2::text[])', org, keys),
    ...some(
      scheduled,
      `INSERT INTO due (org, seq, key, at, job, about)
       SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::text[])`,
      org,
      scheduled.map(({ seq }) => seq),
      scheduled.map(({ key }) => key),
      scheduled.map(({ atMs }) => atMs),
      scheduled.map(({ job }) => job),
      scheduled.map(({ about }) => JSON.stringify(about)),
    ),
    ...some(
      facts,
      `INSERT INTO facts (org, key, value) SELECT $1, * FROM unnest($2::text[], $3::text[])
       ON CONFLICT (org, key) DO UPDATE SET value = excluded.value`,
      org,
      facts.map(({ key }) => key),
      facts.map(({ value }) => value),
    ),
  ];
}

function present<T>(map: ReadonlyMap<unknown, T | undefined>): readonly T[] {
  return [...map.values()].filter((one) => one !== undefined);
}

function columns(entries: readonly Entry[], names: readonly Exclude<keyof Entry, 'body'>[]): readonly Value[] {
  return names.map((name) => entries.map((entry) => entry[name]));
}

function some(items: readonly unknown[], text: string, ...values: readonly Value[]): readonly Statement[] {
  return items.length === 0 ? [] : [{ text, values }];
}
