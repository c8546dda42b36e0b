import { lastSegment } from '../../../schema/record/ref.ts';
import { newestFirst } from '../../audit/decisions/entryCursor.ts';
import type { Due, Entry, EntrySelection, Journal, NewEntry } from '../model/row.ts';
import type { UndoLog } from './undoLog.ts';

export interface OrderedDue extends Due {
  readonly seq: number;
}

/** Journals, facts and scheduled work with the uncommitted writes. */
export class JournalOverlay {
  readonly added = new Map<number, Entry | undefined>();
  /** Stored entries that were changed; undefined: dropped. */
  readonly changed = new Map<number, Entry | undefined>();
  /** Owners whose stored entries of a journal were dropped. */
  readonly dropped = new Map<string, { readonly owner: string; readonly journal: Journal } | undefined>();
  readonly scheduled = new Map<string, OrderedDue | undefined>();
  readonly facts = new Map<string, string | undefined>();
  readonly #undo: UndoLog;

  constructor(undo: UndoLog) {
    this.#undo = undo;
  }

  add(seq: number, entry: NewEntry): void {
    this.#undo.set(this.added, seq, { ...entry, seq });
  }

  change(entry: Entry): void {
    const map = this.added.has(entry.seq) ? this.added : this.changed;
    const gone = map.has(entry.seq) && map.get(entry.seq) === undefined;
    if (!gone) this.#undo.set(map, entry.seq, entry);
  }

  drop({ seq }: Entry): void {
    this.#undo.set(this.added.has(seq) ? this.added : this.changed, seq, undefined);
  }

  dropOf(owner: string, journals: readonly Journal[]): void {
    for (const journal of journals) {
      this.#undo.set(this.dropped, `${journal}/${owner}`, { owner, journal });
      for (const map of [this.added, this.changed]) {
        for (const [seq, entry] of map) {
          if (entry?.owner === owner && entry.journal === journal) this.#undo.set(map, seq, undefined);
        }
      }
    }
  }

  /** Owners whose stored entries were dropped. */
  droppedOwners(journal: Journal): readonly string[] {
    return [...this.dropped.values()].flatMap((drop) => (drop?.journal === journal ? [drop.owner] : [])).sort();
  }

  /** `stored`: without the entries of dropped owners, and as many more than `limit` as were changed. */
  select(selection: EntrySelection, stored: readonly Entry[]): readonly Entry[] {
    const unchanged = this.changed.size === 0 ? stored : stored.filter(({ seq }) => !this.changed.has(seq));
    const written = [...this.added.values(), ...this.changed.values()].filter(
      (entry) => entry !== undefined && isEntrySelected(entry, selection),
    );
    const found = written.length === 0 ? unchanged : [...unchanged, ...written.filter((entry) => entry !== undefined)];
    return [...found].sort(newestFirst).slice(0, selection.limit);
  }

  schedule(due: OrderedDue): void {
    this.#undo.set(this.scheduled, due.key, due);
  }

  unschedule(key: string): void {
    this.#undo.set(this.scheduled, key, undefined);
  }

  /** `stored`: as many more than `limit` as were rescheduled. */
  due(untilMs: number, limit: number, stored: readonly OrderedDue[]): readonly OrderedDue[] {
    const unchanged = stored.filter(({ key }) => !this.scheduled.has(key));
    const written = [...this.scheduled.values()].filter((due) => due !== undefined);
    return [...unchanged, ...written]
      .filter(({ atMs }) => atMs <= untilMs)
      .sort((a, b) => a.atMs - b.atMs || a.seq - b.seq)
      .slice(0, limit);
  }

  setFact(key: string, value: string): void {
    this.#undo.set(this.facts, key, value);
  }
}

/** Does the entry meet the conditions? The same conditions as in the database. */
export function isEntrySelected(entry: Entry, selection: EntrySelection): boolean {
  const { journal, fromMs, toMs, before } = selection;
  if (entry.journal !== journal) return false;
  for (const column of ['id', 'owner', 'kind', 'name', 'subject', 'context'] as const) {
    if (selection[column] !== undefined && selection[column] !== entry[column]) return false;
  }
  if (selection.subjectName !== undefined && selection.subjectName !== lastSegment(entry.subject)) return false;
  if (fromMs !== undefined && entry.atMs < fromMs) return false;
  if (toMs !== undefined && entry.atMs >= toMs) return false;
  return before === undefined || newestFirst(entry, before) > 0;
}
