/** `a, b, c and 4 more`: at most `most` names, on one line. */
export function firstOf(names: readonly string[], most: number): string {
  const more = names.length - most;
  return more > 0 ? `${names.slice(0, most).join(', ')} and ${more} more` : names.join(', ');
}

/** At most `most` lines, then `and 4 more`; `nouns`: the noun for these. */
export function firstLines(lines: readonly string[], most: number, nouns = ''): readonly string[] {
  const more = lines.length - most;
  return more > 0 ? [...lines.slice(0, most), `and ${more} more ${nouns}`.trimEnd()] : lines;
}
