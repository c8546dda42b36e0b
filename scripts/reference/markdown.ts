/** A table in the notation of GitHub, padded as the formatter pads it; cells may hold anything but line breaks. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows].map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, column) => Math.max(3, ...lines.map((cells) => cells[column]?.length ?? 0)));
  const written = lines.map((cells) => padded(cells, widths));
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [...written.slice(0, 1), rule, ...written.slice(1)].join('\n');
}

function padded(cells: readonly string[], widths: readonly number[]): string {
  return `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
}

export function code(text: string): string {
  return `\`${text}\``;
}
