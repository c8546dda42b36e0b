import type { Kind } from '../../../schema/record/kinds.ts';
import type { Ref } from '../../../schema/record/ref.ts';
import { type Cursor, type Entry, type EntrySelection, type Row, rowKey, type Selection } from '../model/row.ts';
import { compareRows, type OrderedDue } from './overlay.ts';

/** A read of the database; for lists, with the minimum number of items. */
export type Wanted =
  | { readonly of: 'row'; readonly ref: Ref }
  | { readonly of: 'uid'; readonly kind: Kind; readonly uid: string }
  | { readonly of: 'elsewhere'; readonly ref: Ref }
  | { readonly of: 'rows'; readonly selection: Selection }
  | { readonly of: 'count'; readonly kind: Kind }
  | { readonly of: 'referrers'; readonly target: Ref; readonly kind: Kind; readonly limit: number }
  | { readonly of: 'referrerRefs'; readonly target: Ref; readonly kind: Kind }
  | { readonly of: 'leaving'; readonly gvc: string }
  | { readonly of: 'fact'; readonly key: string }
  | { readonly of: 'entries'; readonly selection: EntrySelection; readonly without: readonly string[] }
  | { readonly of: 'due'; readonly limit: number };

export type WantedOf<W extends Wanted['of']> = Extract<Wanted, { of: W }> & { readonly of: W };

/** Deleted records that are still shown, by key. */
export type StoredLeaving = ReadonlyMap<string, { readonly row: Row; readonly untilMs: number }>;

/** A ref with the number of its row. */
export interface NumberedRef {
  readonly seq: number;
  readonly ref: Ref;
}

/** The results from the database, by type of read. */
export interface ReadResults {
  readonly row: Row | undefined;
  readonly uid: Row | undefined;
  /** The name of the other org. */
  readonly elsewhere: string | undefined;
  readonly rows: readonly Row[];
  readonly count: number;
  readonly referrers: readonly Row[];
  readonly referrerRefs: readonly NumberedRef[];
  readonly leaving: StoredLeaving;
  readonly fact: string | undefined;
  readonly entries: readonly Entry[];
  readonly due: readonly OrderedDue[];
}

export interface CachedRead<W extends Wanted['of']> {
  readonly wanted: WantedOf<W>;
  readonly answer: ReadResults[W];
}

type Tables = { readonly [W in Wanted['of']]: Map<string, CachedRead<W>> };

/** Cached results for one org, all of the same generation. */
export class KnownReads {
  /** The column `generation` of `orgs`; 0 if the org does not exist. */
  generation: number;
  readonly tables: Tables = {
    row: new Map(),
    uid: new Map(),
    elsewhere: new Map(),
    rows: new Map(),
    count: new Map(),
    referrers: new Map(),
    referrerRefs: new Map(),
    leaving: new Map(),
    fact: new Map(),
    entries: new Map(),
    due: new Map(),
  };
  /** The number of rows, entries and scheduled jobs, as a measure of memory. */
  size = 0;

  /** The most recently read of the lists that differ only in their start. */
  readonly #latest = new Map<string, string>();

  constructor(generation: number) {
    this.generation = generation;
  }

  /** Returns undefined if it must be read first. */
  read<W extends Wanted['of']>(wanted: WantedOf<W>): CachedRead<W> | undefined {
    const table: Map<string, CachedRead<W>> = this.tables[wanted.of];
    const known = table.get(keyOf(wanted));
    return known !== undefined && isEnough(known.wanted, known.answer, wanted) ? known : undefined;
  }

  /** The result from a list that begins earlier; undefined if that list is too short. */
  readFromLongerList({ selection }: WantedOf<'rows'>): readonly Row[] | undefined {
    const known = this.#latestOf(selection);
    if (known === undefined) return undefined;
    const { after: begin, limit } = known.wanted.selection;
    const { after } = selection;
    if (begin !== undefined && (after === undefined || compareRows(after, begin) < 0)) return undefined;
    const rows = after === undefined ? known.answer : known.answer.slice(countUpTo(known.answer, after));
    return rows.length >= selection.limit || known.answer.length < limit ? rows : undefined;
  }

  /** The length to read, which doubles each time for a caller that reads page after page. */
  readAheadLimit(selection: Selection): number {
    const known = selection.after === undefined ? undefined : this.#latestOf(selection);
    return Math.max(selection.limit, Math.min(2 * (known?.answer.length ?? 0), longestReadAhead));
  }

  #latestOf(selection: Selection): CachedRead<'rows'> | undefined {
    const key = this.#latest.get(listKeyOf(selection));
    return key === undefined ? undefined : this.tables.rows.get(key);
  }

  keep<W extends Wanted['of']>(wanted: WantedOf<W>, answer: ReadResults[W]): void {
    const table: Map<string, CachedRead<W>> = this.tables[wanted.of];
    const key = keyOf(wanted);
    table.set(key, { wanted, answer });
    const one: Wanted = wanted;
    if (one.of === 'rows') this.#latest.set(listKeyOf(one.selection), key);
    this.size += Array.isArray(answer) ? answer.length + 1 : 1;
  }
}

/** Making a row takes about 10 µs and cannot be interrupted. */
const longestReadAhead = 400;

/** The number of ordered rows up to and including this cursor. */
function countUpTo(rows: readonly Row[], cursor: Cursor): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows[middle];
    if (row !== undefined && compareRows(row, cursor) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether the result suffices: a list that reached its limit cannot answer a longer read. */
function isEnough(known: Wanted, answer: unknown, wanted: Wanted): boolean {
  const [had, needed] = [limitOf(known), limitOf(wanted)];
  return needed <= had || (Array.isArray(answer) && answer.length < had);
}

export function limitOf(wanted: Wanted): number {
  if (wanted.of === 'due' || wanted.of === 'referrers') return wanted.limit;
  return wanted.of === 'rows' || wanted.of === 'entries' ? wanted.selection.limit : 0;
}

export function keyOf(wanted: Wanted): string {
  switch (wanted.of) {
    case 'row':
    case 'elsewhere':
      return rowKey(wanted.ref);
    case 'uid':
      return `${wanted.kind}/${wanted.uid}`;
    case 'count':
      return wanted.kind;
    case 'referrers':
    case 'referrerRefs':
      return `${wanted.kind} ${rowKey(wanted.target)}`;
    case 'leaving':
      return wanted.gvc;
    case 'fact':
      return wanted.key;
    case 'due':
      return '';
    case 'rows': {
      const { after } = wanted.selection;
      const list = listKeyOf(wanted.selection);
      return after === undefined ? list : `${list} ${after.createdMs} ${after.seq} ${after.name}`;
    }
    case 'entries': {
      const { limit: _, ...conditions } = wanted.selection;
      return JSON.stringify([conditions, wanted.without]);
    }
  }
}

/** The key that lists share if they differ only in their start and length. */
function listKeyOf({ kind, gvc, tag, anyTag, names, below, seqs }: Selection): string {
  return JSON.stringify([kind, gvc ?? 0, tag?.key, tag?.value, anyTag ?? 0, names ?? 0, below ?? 0, seqs]);
}
