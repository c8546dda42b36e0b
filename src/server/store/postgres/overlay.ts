import { type JsonObject, objectAt, own } from '../../../base/json/json.ts';
import type { Kind } from '../../../schema/record/kinds.ts';
import { lastSegment, type Ref } from '../../../schema/record/ref.ts';
import { newestFirst } from '../../audit/decisions/entryCursor.ts';
import {
  type ChangedRow,
  type Due,
  type Entry,
  type EntrySelection,
  type Journal,
  type NewEntry,
  type NewRow,
  type Row,
  refOfRow,
  rowKey,
  type Selection,
} from '../model/row.ts';

/** Undoes changes in reverse order. */
class UndoLog {
  readonly #steps: (() => void)[] = [];

  get mark(): number {
    return this.#steps.length;
  }

  set<K, V>(map: Map<K, V | undefined>, key: K, value: V | undefined): void {
    const [had, before] = [map.has(key), map.get(key)];
    this.#steps.push(() => {
      if (had) map.set(key, before);
      else map.delete(key);
    });
    map.set(key, value);
  }

  /** Undoes all changes since this mark. */
  rollBack(mark: number): void {
    while (this.#steps.length > mark) this.#steps.pop()?.();
  }
}

/** All writes of one commit before any of them is sent. */
export class Overlay {
  readonly rows: RowOverlay;
  readonly journal: JournalOverlay;
  readonly #undo = new UndoLog();
  #seq: number;

  /** `lastSeq`: the last number of a row of the org. */
  constructor(lastSeq: number) {
    this.#seq = lastSeq;
    this.rows = new RowOverlay(this.#undo);
    this.journal = new JournalOverlay(this.#undo);
  }

  get lastSeq(): number {
    return this.#seq;
  }

  get isEmpty(): boolean {
    return this.#undo.mark === 0;
  }

  nextSeq(): number {
    this.#seq += 1;
    return this.#seq;
  }

  /** Runs the work. Undoes its writes if it throws or if `shouldKeep` then returns false. */
  attempt<T>(work: () => T, shouldKeep: () => boolean): T {
    const [mark, seq] = [this.#undo.mark, this.#seq];
    const undo = () => {
      this.#undo.rollBack(mark);
      this.#seq = seq;
    };
    try {
      const value = work();
      if (!shouldKeep()) undo();
      return value;
    } catch (error) {
      undo();
      throw error;
    }
  }
}

export interface OrderedDue extends Due {
  readonly seq: number;
}

/** Journals, facts and scheduled work including the uncommitted writes. */
export class JournalOverlay {
  readonly added = new Map<number, Entry | undefined>();
  /** Changed stored entries; undefined if they were dropped. */
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

  dropOwned(owner: string, journals: readonly Journal[]): void {
    for (const journal of journals) {
      this.#undo.set(this.dropped, `${journal}/${owner}`, { owner, journal });
      for (const map of [this.added, this.changed]) {
        for (const [seq, entry] of map) {
          if (entry?.owner === owner && entry.journal === journal) this.#undo.set(map, seq, undefined);
        }
      }
    }
  }

  droppedOwners(journal: Journal): readonly string[] {
    return [...this.dropped.values()].flatMap((drop) => (drop?.journal === journal ? [drop.owner] : [])).sort();
  }

  /** `stored` excludes dropped owners and exceeds `limit` by at least the number of changed entries. */
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

  /** `stored` exceeds `limit` by at least the number of rescheduled items. */
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

/** Whether the entry is selected, by the same conditions as in the database. */
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

/** A written record that is not yet stored. */
export interface WrittenRow {
  /** The current row; undefined if it was removed. */
  readonly row: Row | undefined;
  readonly kind: Kind;
  /** The records that it refers to; undefined if only its state was written, so that the stored ones apply. */
  readonly targets: readonly Ref[] | undefined;
  /** Whether it is new, so not in the database. */
  readonly isNew: boolean;
}

interface UncommittedLeaving {
  readonly row: NewRow;
  readonly untilMs: number;
}

/** Replaces the number of a removed row. */
const removedSeq = -1;

/** Records with uncommitted writes, which correct the results of database reads. */
export class RowOverlay {
  readonly written = new Map<number, WrittenRow | undefined>();
  readonly leaving = new Map<string, UncommittedLeaving | undefined>();
  readonly #places = new Map<string, number | undefined>();
  readonly #uids = new Map<string, number | undefined>();
  readonly #undo: UndoLog;

  constructor(undo: UndoLog) {
    this.#undo = undo;
  }

  insert(seq: number, row: NewRow, targets: readonly Ref[]): void {
    const place = rowKey(row);
    if (this.written.get(this.#places.get(place) ?? removedSeq)?.row !== undefined) {
      throw new Error(`${place} already exists`);
    }
    this.#undo.set(this.leaving, place, undefined);
    this.#keep(seq, { row: storedRow({ ...row, seq }), kind: row.kind, targets, isNew: true });
  }

  update(row: ChangedRow, targets: readonly Ref[]): void {
    const before = this.written.get(row.seq);
    this.#keep(row.seq, { row: storedRow(row), kind: row.kind, targets, isNew: before?.isNew ?? false });
  }

  updateState(row: Row, state: JsonObject): void {
    const before = this.written.get(row.seq) ?? { row, kind: row.kind, targets: undefined, isNew: false };
    if (before.row !== undefined) this.#keep(row.seq, { ...before, row: withState(before.row, state) });
  }

  remove(row: Row, untilMs: number | undefined): void {
    const before = this.written.get(row.seq);
    if (before !== undefined && before.row === undefined) return;
    this.#undo.set(this.written, row.seq, {
      ...{ row: undefined, kind: row.kind, targets: undefined },
      isNew: before?.isNew ?? false,
    });
    this.#undo.set(this.#places, rowKey(row), removedSeq);
    this.#undo.set(this.#uids, row.uid, removedSeq);
    if (untilMs !== undefined) this.leaveUntil(row, untilMs);
  }

  leaveUntil(row: NewRow, untilMs: number): void {
    this.#undo.set(this.leaving, rowKey(row), { row, untilMs });
  }

  /** `stored` is called if no write affected the ref. */
  rowAt(ref: Ref, stored: () => Row | undefined): Row | undefined {
    const seq = this.#places.get(rowKey(ref));
    return seq === undefined ? stored() : this.written.get(seq)?.row;
  }

  byUid(kind: Kind, uid: string, stored: () => Row | undefined): Row | undefined {
    const seq = this.#uids.get(uid);
    if (seq === undefined) return stored();
    const row = this.written.get(seq)?.row;
    return row?.kind === kind ? row : undefined;
  }

  /** The number of the written row with this key (-1 if removed); undefined if no write affected it. */
  seqAt(place: string): number | undefined {
    return this.#places.get(place);
  }

  isUidWritten(uid: string): boolean {
    return this.#uids.has(uid);
  }

  /** Whether the record with this id is new here. */
  isNewUid(uid: string): boolean {
    const seq = this.#uids.get(uid);
    return seq !== undefined && this.written.get(seq)?.isNew === true;
  }

  /** The number of stored records of a kind that may have moved in a list. */
  changedCount(kind: Kind): number {
    let count = 0;
    for (const written of this.written.values()) if (written?.kind === kind && !written.isNew) count += 1;
    return count;
  }

  /** The number of records of a kind, minus the stored number. */
  countChange(kind: Kind): number {
    let more = 0;
    for (const written of this.written.values()) {
      if (written?.kind !== kind) continue;
      if (written.isNew && written.row !== undefined) more += 1;
      else if (!written.isNew && written.row === undefined) more -= 1;
    }
    return more;
  }

  /** `stored` has at least `limit` rows plus the displaced ones, if there are so many. */
  select(selection: Selection, stored: readonly Row[]): readonly Row[] {
    const written = [...this.written.values()].flatMap((one) =>
      one?.row !== undefined && isSelected(one.row, selection) ? [one.row] : [],
    );
    const unchanged = this.written.size === 0 ? stored : stored.filter(({ seq }) => !this.written.has(seq));
    const found = written.length === 0 ? unchanged : [...unchanged, ...written].sort(compareRows);
    return found.length > selection.limit ? found.slice(0, selection.limit) : found;
  }

  /** `stored` is sorted by `seq` and may be limited. `read` returns the result for a written row. */
  referrers<T extends { readonly seq: number }>(
    target: Ref,
    kind: Kind,
    stored: readonly T[],
    read: (row: Row) => T,
  ): readonly T[] {
    if (this.written.size === 0) return stored;
    const place = rowKey(target);
    const before = new Set(stored.map(({ seq }) => seq));
    const found = stored.filter(({ seq }) => !this.written.has(seq));
    for (const [seq, written] of this.written) {
      if (written?.row === undefined || written.kind !== kind) continue;
      const refers = written.targets?.some((ref) => rowKey(ref) === place) ?? before.has(seq);
      if (refers) found.push(read(written.row));
    }
    return found.sort((a, b) => a.seq - b.seq);
  }

  #keep(seq: number, written: WrittenRow & { readonly row: Row }): void {
    this.#undo.set(this.written, seq, written);
    this.#undo.set(this.#places, rowKey(refOfRow(written.row)), seq);
    this.#undo.set(this.#uids, written.row.uid, seq);
  }
}

/** Whether the row is part of the list, by the same conditions as in the database. */
function isSelected(row: Row, { kind, gvc, tag, anyTag, names, below, seqs, after }: Selection): boolean {
  if (row.kind !== kind || (gvc !== undefined && row.gvc !== gvc)) return false;
  if (seqs?.includes(row.seq) === false) return false;
  if (names !== undefined && !names.includes(row.name)) return false;
  if (below !== undefined && !row.name.endsWith(`.${below}`)) return false;
  if (tag !== undefined && !hasTag(row, tag.key, tag.value)) return false;
  if (anyTag?.some(({ key, value }) => hasTag(row, key, value)) === false) return false;
  return after === undefined || compareRows(row, after) > 0;
}

function hasTag(row: Row, key: string, value: string | undefined): boolean {
  const tag = own(objectAt(row.record, 'tags'), key);
  return tag !== undefined && (value === undefined || String(tag) === value);
}

/** Compares by creation, name, then `seq`: the order of every list. */
export function compareRows(
  a: Pick<Row, 'createdMs' | 'name' | 'seq'>,
  b: Pick<Row, 'createdMs' | 'name' | 'seq'>,
): number {
  if (a.createdMs !== b.createdMs) return a.createdMs - b.createdMs;
  if (a.name !== b.name) return compareBytes(a.name, b.name);
  return a.seq - b.seq;
}

/** Compares text as the database does: by code point, not by UTF-16 unit. */
function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** The row as a read will return it once it is stored. */
function storedRow(row: ChangedRow): Row {
  let text: string | undefined;
  return {
    ...row,
    get recordText() {
      text ??= JSON.stringify(row.record);
      return text;
    },
  };
}

/** The row with another state; its record is not parsed. */
function withState(row: Row, state: JsonObject): Row {
  const { seq, kind, gvc, name, uid, version, createdMs, modifiedMs, hidden } = row;
  return {
    ...{ seq, kind, gvc, name, uid, version, createdMs, modifiedMs, hidden, state },
    get record() {
      return row.record;
    },
    get recordText() {
      return row.recordText;
    },
  };
}
