import { suggest } from './suggest.ts';

/** `Did you mean "x"?` for the closest known word of a file; undefined if none is close. */
export function suggestion(word: string, known: readonly string[]): string | undefined {
  const best = word.length > 64 ? undefined : suggest(word, known);
  return best === undefined ? undefined : `Did you mean "${best}"?`;
}

/** `Available: dev, prod.` */
export function available(names: Iterable<string>): string {
  return `Available: ${[...names].join(', ') || 'none'}.`;
}

/** A suggestion for the command line: `Did you mean prod?`, or if none is close `Available: dev, prod.` */
export function meantOrAvailable(word: string, names: readonly string[]): string {
  const meant = suggest(word, names);
  return meant === undefined ? available(names) : `Did you mean ${meant}?`;
}
