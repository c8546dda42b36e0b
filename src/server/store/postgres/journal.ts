import type { Entry } from '../model/row.ts';
import { type Column, insertion, plain, removal, some, update } from './batch.ts';
import type { JournalOverlay, OrderedDue } from './journalOverlay.ts';
import type { Statement } from './statements.ts';

const at: Column<Pick<Entry, 'atMs'>> = ['at', 'bigint', ({ atMs }) => atMs];
const body: Column<Entry> = ['body', 'text', (entry) => JSON.stringify(entry.body)];
const whole = [
  ...plain('bigint', 'seq'),
  ...plain('text', 'journal', 'id', 'owner', 'kind', 'name', 'subject', 'context'),
  ...[at, body],
];
const changing = [...plain('bigint', 'seq'), ...plain('text', 'kind', 'name'), at, body];
const about: Column<OrderedDue> = ['about', 'text', (due) => JSON.stringify(due.about)];
const work = [...plain('bigint', 'seq'), ...plain('text', 'key', 'job'), at, about];

/** The writes of an overlay to journals, scheduled work and facts. */
export function journalStatements(org: string, overlay: JournalOverlay): readonly Statement[] {
  const gone = [...overlay.changed].flatMap(([number, entry]) => (entry === undefined ? [number] : []));
  const keys = [...overlay.scheduled.keys()];
  const facts = [...overlay.facts].flatMap(([key, value]) => (value === undefined ? [] : [{ key, value }]));
  return [
    ...removal(org, { table: 'entries', columns: plain('text', 'owner', 'journal'), rows: present(overlay.dropped) }),
    ...some(gone, 'DELETE FROM entries WHERE org = $1 AND seq = ANY($2::bigint[])', org, gone),
    ...update(org, { table: 'entries', columns: changing, rows: present(overlay.changed) }),
    ...insertion(org, { table: 'entries', columns: whole, rows: present(overlay.added) }),
    ...some(keys, 'DELETE FROM due WHERE org = $1 AND key = ANY($2::text[])', org, keys),
    ...insertion(org, { table: 'due', columns: work, rows: present(overlay.scheduled) }),
    ...insertion(
      org,
      { table: 'facts', columns: plain('text', 'key', 'value'), rows: facts },
      'ON CONFLICT (org, key) DO UPDATE SET value = excluded.value',
    ),
  ];
}

function present<T>(map: ReadonlyMap<unknown, T | undefined>): readonly T[] {
  return [...map.values()].filter((one) => one !== undefined);
}
