import type { JsonObject } from '../../../base/json/json.ts';
import type { Kind } from '../../../schema/record/kinds.ts';
import type { Ref } from '../../../schema/record/ref.ts';
import { accessKinds } from '../model/countedStore.ts';
import {
  type ChangedRow,
  type Due,
  type Entry,
  type EntrySelection,
  type Journal,
  type NewEntry,
  type NewRow,
  noLimit,
  type Row,
  refOfRow,
  rowKey,
  type Selection,
  type Transaction,
} from '../model/row.ts';
import { leavingOf, textOfLeaving } from '../model/stored.ts';
import type { KnownReads, ReadResults, Wanted, WantedOf } from './knownReads.ts';
import type { Overlay } from './overlay.ts';

export interface Replay {
  readonly org: string;
  readonly known: KnownReads;
  /** Reads of other orgs, whose writers are not locked out: never cached across transactions. */
  readonly foreign: KnownReads;
  readonly now: () => number;
}

const numberFact = 'number';

/**
 * One run of a work. It reads from the cache, corrected by the uncommitted writes, and writes to the overlay. Missing
 * reads are collected in `unread`; the run then has no effect, and the work must run again. Some missing reads return
 * an empty result, so that the run discovers more of them; others end the run with `Unread`.
 */
export class ReplayTransaction implements Transaction {
  readonly org: string;
  readonly unread: Wanted[] = [];
  readonly #known: KnownReads;
  readonly #foreign: KnownReads;
  readonly #overlay: Overlay;
  readonly #now: () => number;

  constructor({ org, known, foreign, now }: Replay, overlay: Overlay) {
    this.org = org;
    this.#known = known;
    this.#foreign = foreign;
    this.#overlay = overlay;
    this.#now = now;
  }

  get(ref: Ref): Row | undefined {
    return this.#overlay.rows.rowAt(ref, () => this.#read({ of: 'row', ref }));
  }

  byUid(kind: Kind, uid: string): Row | undefined {
    return this.#overlay.rows.byUid(kind, uid, () => this.#outdated(this.#read({ of: 'uid', kind, uid })));
  }

  elsewhere(ref: Ref): string | undefined {
    return this.#read({ of: 'elsewhere', ref });
  }

  select(selection: Selection): readonly Row[] {
    const limit = withSpareItems(selection.limit, this.#overlay.rows.changedCount(selection.kind));
    const wanted = { of: 'rows', selection: { ...selection, limit } } as const;
    const stored = this.#known.readFromLongerList(wanted) ?? this.#readAhead(wanted.selection);
    return this.#overlay.rows.select(selection, stored);
  }

  count(kind: Kind): number {
    return this.#read({ of: 'count', kind }) + this.#overlay.rows.countChange(kind);
  }

  referrers(target: Ref, kind: Kind, limit = noLimit): readonly Row[] {
    const spareLimit = withSpareItems(limit, this.#overlay.rows.changedCount(kind));
    const stored = this.#read({ of: 'referrers', target, kind, limit: spareLimit });
    const found = this.#overlay.rows.referrers(target, kind, stored, (row) => row);
    return found.length > limit ? found.slice(0, limit) : found;
  }

  referrerRefs(target: Ref, kind: Kind): readonly Ref[] {
    const stored = this.#read({ of: 'referrerRefs', target, kind });
    const { rows } = this.#overlay;
    return rows.referrers(target, kind, stored, (row) => ({ seq: row.seq, ref: refOfRow(row) })).map(({ ref }) => ref);
  }

  insert(row: NewRow, targets: readonly Ref[]): void {
    this.#overlay.rows.insert(this.#overlay.nextSeq(), row, targets);
  }

  update(row: ChangedRow, targets: readonly Ref[]): void {
    this.#overlay.rows.update(row, targets);
  }

  updateState(row: Row, state: JsonObject): void {
    this.#overlay.rows.updateState(row, state);
  }

  remove(row: Row, untilMs: number | undefined): void {
    this.#overlay.rows.remove(row, untilMs);
  }

  leaveUntil(row: NewRow, untilMs: number): void {
    this.#overlay.rows.leaveUntil(row, untilMs);
  }

  leaving(ref: Ref): Row | undefined {
    const place = rowKey(ref);
    const { leaving } = this.#overlay.rows;
    if (leaving.has(place)) {
      const found = leaving.get(place);
      return found !== undefined && found.untilMs > this.#now() ? leavingOf(textOfLeaving(found.row)) : undefined;
    }
    const found = this.#read({ of: 'leaving', gvc: ref.gvc ?? '' }).get(place);
    return found !== undefined && found.untilMs > this.#now() ? found.row : undefined;
  }

  leavingIn(gvc: string): boolean {
    const nowMs = this.#now();
    const { leaving } = this.#overlay.rows;
    for (const found of leaving.values()) if (found?.row.gvc === gvc && found.untilMs > nowMs) return true;
    for (const [place, { untilMs }] of this.#read({ of: 'leaving', gvc })) {
      if (untilMs > nowMs && !leaving.has(place)) return true;
    }
    return false;
  }

  nextNumber(): number {
    const number = Number(this.fact(numberFact) ?? '0') + 1;
    this.setFact(numberFact, String(number));
    return number;
  }

  fact(key: string): string | undefined {
    return this.#overlay.journal.facts.get(key) ?? this.#read({ of: 'fact', key });
  }

  setFact(key: string, value: string): void {
    this.#overlay.journal.setFact(key, value);
  }

  addEntry(entry: NewEntry): void {
    this.#overlay.journal.add(this.#overlay.nextSeq(), entry);
  }

  changeEntry(entry: Entry): void {
    this.#overlay.journal.change(entry);
  }

  dropEntry(entry: Entry): void {
    this.#overlay.journal.drop(entry);
  }

  dropEntries(owner: string, journals: readonly Journal[]): void {
    this.#overlay.journal.dropOwned(owner, journals);
  }

  entries(selection: EntrySelection): readonly Entry[] {
    const { journal } = this.#overlay;
    const without = journal.droppedOwners(selection.journal);
    // A record that was created in this transaction has no stored entries.
    const { owner } = selection;
    const ofDropped = owner !== undefined && (without.includes(owner) || this.#overlay.rows.isNewUid(owner));
    const limit = withSpareItems(selection.limit, journal.changed.size);
    const stored = ofDropped
      ? []
      : this.#read({
          of: 'entries',
          selection: { ...selection, limit },
          without: selection.owner === undefined ? without : [],
        });
    return journal.select(selection, stored);
  }

  schedule(due: Due): void {
    this.#overlay.journal.schedule({ ...due, seq: this.#overlay.nextSeq() });
  }

  unschedule(key: string): void {
    this.#overlay.journal.unschedule(key);
  }

  due(untilMs: number, limit: number): readonly Due[] {
    const { journal } = this.#overlay;
    const spareLimit = withSpareItems(Math.max(limit, minDueRead), journal.scheduled.size);
    const found = journal.due(untilMs, limit, this.#read({ of: 'due', limit: spareLimit }));
    return found.map(({ seq: _, ...due }) => due);
  }

  /** Hides a stored record that was removed or moved in this transaction. */
  #outdated(row: Row | undefined): Row | undefined {
    return row !== undefined && this.#overlay.rows.written.has(row.seq) ? undefined : row;
  }

  #readAhead(selection: Selection): readonly Row[] {
    return this.#read({ of: 'rows', selection: { ...selection, limit: this.#known.readAheadLimit(selection) } });
  }

  #read<W extends Wanted['of']>(wanted: WantedOf<W>): ReadResults[W] {
    const known = (wanted.of === 'elsewhere' ? this.#foreign : this.#known).read(wanted);
    if (known !== undefined) return known.answer;
    this.unread.push(wanted);
    if (!isSpeculative(wanted) || this.unread.length >= maxUnread) throw new Unread();
    return emptyResults[wanted.of];
  }
}

/** Not an Error, because it needs no stack trace. */
class Unread {}

/**
 * Whether works make the read in loops, once for each of many records. Reads that rights depend on are never guessed,
 * because rights are cached across transactions.
 */
function isSpeculative(wanted: Wanted): boolean {
  if (wanted.of === 'referrers' || wanted.of === 'referrerRefs') return !accessKinds.has(wanted.kind);
  return wanted.of === 'entries' || wanted.of === 'leaving';
}

/** Ends a run that an empty result has misled. */
const maxUnread = 2_000;

const emptyResults: ReadResults = {
  row: undefined,
  uid: undefined,
  elsewhere: undefined,
  rows: [],
  count: 0,
  referrers: [],
  referrerRefs: [],
  leaving: new Map(),
  fact: undefined,
  entries: [],
  due: [],
};

/** The job runner reads only one at a time. */
const minDueRead = 64;

/** Adds room for list items that the overlay removes, in steps, so that not each write reads the list again. */
function withSpareItems(limit: number, changedCount: number): number {
  if (changedCount === 0 || limit === noLimit) return limit;
  return limit + 2 ** Math.ceil(Math.log2(changedCount + 1));
}
