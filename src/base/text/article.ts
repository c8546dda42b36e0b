/** The noun with its spoken article: "an identity", "an IP set", "a user". */
export function withArticle(noun: string): string {
  return `${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}
