import type { JsonObject } from '../../base/json/json.ts';
import type { Palette } from '../../terminal/palette.ts';
import { printable } from '../../terminal/printable.ts';
import { padText, startOf, textWidth } from '../../terminal/textWidth.ts';
import type { TimeForm } from '../call/format.ts';
import { ageOf } from '../call/times.ts';
import type { Column } from './columns.ts';

export interface TableLook {
  readonly palette: Palette;
  /** Infinite where standard output is no terminal. */
  readonly width: number;
  readonly ts: TimeForm;
  /** For ages; since 1970. */
  readonly nowMs: number;
}

/** Between columns. */
const gap = 2;
/** No column gets narrower than its title or this. */
const narrowest = 6;

/** Records as lines of at most `width` columns: the widest cells are cut first. */
export function tableOf(columns: readonly Column[], records: readonly JsonObject[], look: TableLook): string {
  const rows = records.map((record) => columns.map((column) => cellOf(column, record, look)));
  const titles = columns.map(({ title }) => title);
  const wanted = titles.map((title, index) =>
    Math.max(title.length, ...rows.map((row) => textWidth(row[index] ?? ''))),
  );
  const least = titles.map((title) => Math.max(title.length, narrowest));
  const widths = fitted(wanted, least, look.width - gap * (columns.length - 1));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => padText(cut(cell, widths[index] ?? 0), widths[index] ?? 0))
      .join(' '.repeat(gap))
      .trimEnd();
  return [look.palette.strong(line(titles)), ...rows.map(line)].join('\n');
}

function cellOf({ of, isTime }: Column, record: JsonObject, { ts, nowMs }: TableLook): string {
  const text = of(record);
  return printable(isTime === true && text !== '' ? timeText(text, ts, nowMs) : text);
}

function timeText(iso: string, ts: TimeForm, nowMs: number): string {
  if (ts === 'iso') return iso;
  if (ts === 'age') return ageOf(iso, nowMs);
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : date.toLocaleString('sv-SE');
}

/** Takes a column from the widest one again and again, until all fit or none can give any. */
function fitted(wanted: readonly number[], least: readonly number[], room: number): readonly number[] {
  const widths = [...wanted];
  let over = widths.reduce((sum, width) => sum + width, 0) - room;
  while (over > 0) {
    let widest = -1;
    for (const [index, width] of widths.entries()) {
      if (width > (least[index] ?? 0) && width > (widths[widest] ?? 0)) widest = index;
    }
    if (widest < 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    over -= 1;
  }
  return widths;
}

function cut(text: string, width: number): string {
  return textWidth(text) <= width ? text : `${startOf(text, width - 1)}…`;
}
