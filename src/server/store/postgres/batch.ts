import type { Statement, Value } from './statements.ts';

/** A column of the rows of a batch: its name, its type, and its value of a row. */
export type Column<T> = readonly [name: string, type: 'bigint' | 'text', of: (row: T) => number | string];

/** Columns that are called like the fields that they hold. */
export function plain<const Name extends string>(
  type: Column<unknown>[1],
  ...names: readonly Name[]
): readonly Column<Readonly<Record<Name, number | string>>>[] {
  return names.map((name) => [name, type, (row) => row[name]]);
}

/** Rows of one table of an org, written by one statement. */
export interface Batch<T> {
  readonly table: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
}

/** A statement, if there is anything to write. */
export function some(items: readonly unknown[], text: string, ...values: readonly Value[]): readonly Statement[] {
  return items.length === 0 ? [] : [{ text, values }];
}

/** `ending`: what follows the rows, such as `ON CONFLICT …`. */
export function insertion<T>(org: string, batch: Batch<T>, ending = ''): readonly Statement[] {
  const text = `INSERT INTO ${batch.table} (org, ${namesOf(batch).join(', ')}) SELECT $1, * FROM ${arrays(batch)}`;
  return some(batch.rows, `${text} ${ending}`, org, ...valuesOf(batch));
}

/** The rows are found by their column `seq`; the other columns are set. */
export function update<T>(org: string, batch: Batch<T>): readonly Statement[] {
  const names = namesOf(batch);
  const set = names.filter((name) => name !== 'seq').map((name) => `${name} = n.${name}`);
  const text = `UPDATE ${batch.table} r SET ${set.join(', ')} FROM ${arrays(batch)} AS n (${names.join(', ')})`;
  return some(batch.rows, `${text} WHERE r.org = $1 AND r.seq = n.seq`, org, ...valuesOf(batch));
}

/** Removes the rows that are equal in all of these columns. */
export function removal<T>(org: string, batch: Batch<T>): readonly Statement[] {
  const names = namesOf(batch);
  const same = names.map((name) => `r.${name} = n.${name}`).join(' AND ');
  const text = `DELETE FROM ${batch.table} r USING ${arrays(batch)} AS n (${names.join(', ')})`;
  return some(batch.rows, `${text} WHERE r.org = $1 AND ${same}`, org, ...valuesOf(batch));
}

function namesOf<T>({ columns }: Batch<T>): readonly string[] {
  return columns.map(([name]) => name);
}

/** The parameters from `$2` on, one for each column, as rows. */
function arrays<T>({ columns }: Batch<T>): string {
  return `unnest(${columns.map(([, type], index) => `$${index + 2}::${type}[]`).join(', ')})`;
}

function valuesOf<T>({ columns, rows }: Batch<T>): readonly Value[] {
  return columns.map(([, , of]) => rows.map(of));
}
