import { suggest } from '../../schema/text/suggest.ts';

/** `Did you mean "x"?` for the closest of the known words, or undefined where none is close. */
export function suggestion(word: string, known: readonly string[]): string | undefined {
  const best = word.length > 64 ? undefined : suggest(word, known);
  return best === undefined ? undefined : `Did you mean "${best}"?`;
}
