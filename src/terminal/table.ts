import type { Palette } from './palette.ts';
import { printable } from './printable.ts';
import { padText, startOf, textWidth, wrapText } from './textWidth.ts';

export interface TableColumn {
  readonly title: string;
  /** A title for tables that are too wide with the normal one. */
  readonly shortTitle?: string | undefined;
  /**
   * In narrow terminals, the highest ranks are omitted first. The first column, and those without a rank, always stay.
   */
  readonly rank?: number | undefined;
  /** Prose may be shortened. Cells of other columns stay whole. */
  readonly isProse?: true | undefined;
}

type Row = readonly string[];

/** The shown columns of a table, and their widths. It is kept when rows are added to a printed table. */
export interface TableLayout {
  readonly columns: readonly { readonly at: number; readonly title: string; readonly width: number }[];
  /** Columns that are shown below each row, because they do not fit beside the others. */
  readonly below: readonly number[];
  /** Columns of the terminal; infinite for files. */
  readonly width: number;
}

/** Between columns. */
const gap = 2;
/** The rank of a column without cells: after all others. */
const emptyRank = 9;
/** Prose is not useful below this width. */
const leastProse = 24;
/** A wider cell is shortened in every column, also in files. */
const widestCell = 1_000;

interface Keeping {
  /** Columns without a cell stay, because later rows may have one. */
  readonly empty: boolean;
  /** The current layout, to which no columns are added, and in which none becomes narrower. */
  readonly earlier?: TableLayout | undefined;
}

/**
 * A layout of at most `width` columns. Only prose is shortened: first titles become short, then columns are omitted,
 * those with the highest rank first. Other columns that do not fit are shown below their row.
 */
export function layoutOf(
  columns: readonly TableColumn[],
  rows: readonly Row[],
  width: number,
  { empty, earlier }: Keeping = { empty: width === Number.POSITIVE_INFINITY },
): TableLayout {
  const candidates = columns.map((column, at) => {
    const before = earlier?.columns.find((each) => each.at === at)?.width ?? 0;
    const wide = rows.reduce((most, row) => Math.max(most, textWidth(printable(row[at] ?? ''))), before);
    const widest = Math.min(wide, widestCell);
    const isGone = earlier !== undefined && before === 0 && !earlier.below.includes(at);
    return { ...column, at, widest, isGone, rank: at === 0 ? undefined : column.rank };
  });
  const shown = candidates.filter(({ rank, widest, isGone }) => !isGone && (empty || rank === undefined || widest > 0));
  const whole = shown.map(({ at, title, widest }) => ({ at, title, width: Math.max(title.length, widest) }));
  if (sumOf(whole) <= width) return { columns: whole, below: [], width };

  const short = shown.map((column) => {
    const title = column.shortTitle ?? column.title;
    const wanted = Math.max(title.length, column.widest);
    return { ...column, title, wanted, width: wanted };
  });
  const kept = short.filter(({ rank }) => rank === undefined);
  const below: number[] = [];
  while (kept.length > 1 && sumOf(kept) > width) below.unshift(kept.pop()?.at ?? 0);
  const rankOf = ({ rank = 0, widest }: { readonly rank?: number | undefined; readonly widest: number }) =>
    widest === 0 ? emptyRank : rank;
  const others = short.filter(({ rank }) => rank !== undefined).sort((a, b) => rankOf(a) - rankOf(b));
  for (const column of others) {
    const whole = sumOf([...kept, column]) <= width;
    const least = { ...column, width: whole || column.isProse !== true ? column.wanted : leastProse };
    if (sumOf([...kept, least]) <= width) kept.push(least);
  }
  let room = width - sumOf(kept);
  const fitted = kept.map(({ at, title, wanted, width: least }) => {
    const more = Math.max(0, Math.min(wanted - least, room));
    room -= more;
    return { at, title, width: least + more };
  });
  return { columns: fitted.sort((a, b) => a.at - b.at), below, width };
}

function sumOf(columns: readonly { readonly width: number }[]): number {
  return columns.reduce((sum, { width }) => sum + width + gap, -gap);
}

/** Whether a row fits into an existing layout. */
export function fitsLayout({ columns }: TableLayout, row: Row, all: readonly TableColumn[]): boolean {
  return columns.every(({ at, width }) => all[at]?.isProse === true || textWidth(printable(row[at] ?? '')) <= width);
}

/** The line of titles. */
export function tableHead(layout: TableLayout, palette: Palette): string {
  return palette.strong(lineOf(layout, ({ title }) => title));
}

/** One row; `paint` colours the text of a cell. */
export function tableRow(layout: TableLayout, row: Row, paint: (text: string, at: number) => string = plainly): string {
  const line = lineOf(layout, ({ at }) => row[at] ?? '', paint);
  const below = layout.below.flatMap((at) => {
    const text = cut(printable(row[at] ?? ''), widestCell);
    return text === '' ? [] : wrapText(text, layout.width, '  ').map((each) => paint(each, at));
  });
  return [line, ...below].join('\n');
}

/** A whole table, as wide as its cells and at most `width` columns. */
export function renderTable(
  columns: readonly TableColumn[],
  rows: readonly Row[],
  look: { readonly palette: Palette; readonly width: number },
): string {
  const layout = layoutOf(columns, rows, look.width);
  return [tableHead(layout, look.palette), ...rows.map((row) => tableRow(layout, row))].join('\n');
}

function lineOf(
  { columns }: TableLayout,
  cellOf: (column: TableLayout['columns'][number]) => string,
  paint: (text: string, at: number) => string = plainly,
): string {
  const cells = columns.map((column) => ({ ...column, text: cut(printable(cellOf(column)), column.width) }));
  const last = cells.findLastIndex(({ text }) => text !== '');
  return cells
    .slice(0, last + 1)
    .map(
      ({ at, text, width }, index) => paint(text, at) + (index === last ? '' : padText(text, width).slice(text.length)),
    )
    .join(' '.repeat(gap));
}

function plainly(text: string): string {
  return text;
}

function cut(text: string, width: number): string {
  return textWidth(text) <= width ? text : `${startOf(text, width - 1)}…`;
}
