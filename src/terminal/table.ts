import type { Palette } from './palette.ts';
import { printable } from './printable.ts';
import { padText, textWidth } from './textWidth.ts';

/** Columns as wide as their widest cell; the last one is not padded. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[], palette: Palette): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => textWidth(printable(row[column] ?? '')))),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        column === head.length - 1 ? printable(cell) : padText(printable(cell), widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [palette.strong(line(head)), ...rows.map(line)].join('\n');
}
