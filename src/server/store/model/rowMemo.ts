import type { Kind } from '../../../schema/record/kinds.ts';
import { type Row, rowKey } from './row.ts';
import { SizedMap } from './sizedMap.ts';
import { type Columns, numberOf, rowOf, textOf } from './stored.ts';

/** In characters of stored text. */
const mostRowText = 24 * 2 ** 20;
const mostPlaceText = 8 * 2 ** 20;
const mostFactText = 2 ** 20;
const longestWholeList = 100;

interface CachedRow {
  readonly columns: Columns;
  readonly row: Row;
  /** The era of the database when the row was read or written; the row is unchanged in this era. */
  readonly era: number;
}

interface CachedValue<T> {
  readonly value: T;
  readonly era: number;
}

/**
 * The most recently used rows of an org. A row of the current era need not be read again. A row of an earlier era is
 * compared with the one read: if the texts are equal, the same object is returned, which saves parsing and allows
 * caches by object.
 */
export class RowMemo {
  readonly #eraNow: () => number;
  readonly #rows = new SizedMap<number, CachedRow>(mostRowText);
  /** The number of the row with each key; undefined if it does not exist. */
  readonly #places = new SizedMap<string, CachedValue<number | undefined>>(mostPlaceText);
  readonly #facts = new SizedMap<string, CachedValue<string | undefined>>(mostFactText);
  /** The numbers of all rows of a kind, if there are few, ordered by creation, then name. */
  readonly #lists = new Map<Kind, CachedValue<readonly number[]>>();

  constructor(eraNow: () => number) {
    this.#eraNow = eraNow;
  }

  /** Returns the row for columns that were just read. */
  read(columns: Columns): Row {
    const seq = numberOf(columns['seq']);
    const known = this.#rows.get(seq);
    const era = this.#eraNow();
    if (known !== undefined && isSame(known.columns, columns)) {
      if (known.era !== era) this.#keep(seq, { ...known, era });
      return known.row;
    }
    return this.#keep(seq, { columns, row: rowOf(columns), era });
  }

  /** Returns the row for columns that were just written. */
  keepWritten(columns: Columns, parsed: Pick<Row, 'hidden' | 'record' | 'state'>): Row {
    const row = rowOf(columns, parsed);
    this.#lists.delete(row.kind);
    this.#keep(row.seq, { columns, row, era: this.#eraNow() });
    this.keepSeq(rowKey(row), row.seq);
    return row;
  }

  forget(row: Row): void {
    this.#lists.delete(row.kind);
    this.#rows.delete(row.seq);
    this.#places.delete(rowKey(row));
  }

  /** Returns the stored row, or undefined if it must be read. */
  current(seq: number): Row | undefined {
    const known = this.#rows.get(seq);
    return known?.era === this.#eraNow() ? known.row : undefined;
  }

  /** Returns the row with this key, if any; undefined if it must be read. */
  rowAt(place: string): { readonly row: Row | undefined } | undefined {
    const known = this.#places.get(place);
    if (known?.era !== this.#eraNow()) return undefined;
    if (known.value === undefined) return { row: undefined };
    const row = this.current(known.value);
    return row === undefined ? undefined : { row };
  }

  keepSeq(place: string, seq: number | undefined): void {
    this.#places.set(place, { value: seq, era: this.#eraNow() }, place.length + perEntry);
  }

  /** Returns undefined if the fact must be read. */
  fact(key: string): { readonly value: string | undefined } | undefined {
    const known = this.#facts.get(key);
    return known?.era === this.#eraNow() ? known : undefined;
  }

  keepFact(key: string, value: string | undefined): void {
    this.#facts.set(key, { value, era: this.#eraNow() }, key.length + (value?.length ?? 0) + perEntry);
  }

  /** Returns undefined if the rows must be read. */
  all(kind: Kind): readonly Row[] | undefined {
    const known = this.#lists.get(kind);
    if (known?.era !== this.#eraNow()) return undefined;
    const rows = known.value.flatMap((seq) => this.current(seq) ?? []);
    return rows.length === known.value.length ? rows : undefined;
  }

  keepAll(kind: Kind, rows: readonly Row[]): void {
    if (rows.length > longestWholeList) return;
    this.#lists.set(kind, { value: rows.map(({ seq }) => seq), era: this.#eraNow() });
  }

  #keep(seq: number, known: CachedRow): Row {
    const { record, hidden, state } = known.columns;
    const size = textOf(record).length + textOf(hidden).length + textOf(state).length + perEntry;
    this.#rows.set(seq, known, size);
    return known.row;
  }
}

/** The approximate size of a key and its objects. */
const perEntry = 200;

/** Numbers are reused, so any field of a row with the same number may differ. */
const compared = ['version', 'modified', 'created', 'uid', 'kind', 'gvc', 'name', 'state', 'record', 'hidden'] as const;

function isSame(a: Columns, b: Columns): boolean {
  return compared.every((column) => a[column] === b[column]);
}
