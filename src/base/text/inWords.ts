/** `a`, `a and b`, `a, b and c`; or with `or`. */
export function inWords(words: readonly string[], before: 'and' | 'or'): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${before} ${last}`;
}
