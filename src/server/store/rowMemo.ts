import type { Row } from './row.ts';
import { type Columns, numberOf } from './sqliteText.ts';
import { rowOf } from './storedRow.ts';

/** Rows of the size of a workload: some ten megabytes. */
const mostKept = 5_000;

/**
 * The rows that were read last, by their number. What is stored is read from the database each time, and compared: equal
 * texts need not be parsed again, whoever else writes the database.
 */
export class RowMemo {
  readonly #rows = new Map<number, { readonly columns: Columns; readonly row: Row }>();

  of(columns: Columns): Row {
    const seq = numberOf(columns['seq']);
    const known = this.#rows.get(seq);
    if (known !== undefined && isSame(known.columns, columns)) return known.row;
    const row = rowOf(columns);
    if (known === undefined && this.#rows.size >= mostKept) this.#rows.clear();
    this.#rows.set(seq, { columns, row });
    return row;
  }
}

/** Of a row of the same number everything may be another: numbers are given again. */
const compared = ['version', 'modified', 'created', 'uid', 'kind', 'gvc', 'name', 'state', 'record', 'hidden'] as const;

function isSame(a: Columns, b: Columns): boolean {
  return compared.every((column) => a[column] === b[column]);
}
