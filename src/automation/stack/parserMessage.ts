/**
 * The message of a parser (of JavaScript, TypeScript or JSON) without what it quotes from the text: that may be a
 * secret. Punctuation is kept.
 */
export function parserMessage(message: string): string {
  if (/ is not valid JSON$/.test(message)) return 'the text is not valid JSON';
  return message
    .replace(/, got .*$/, '')
    .replace(/^(Invalid regular expression): \/.*: ([^:/]*)$/, '$1: $2')
    .replace(/^(Unexpected \w+) .*\w.*$/, '$1')
    .replaceAll(/(['"`])(?=[^'"`]*\w)[^'"`]*\1/g, '…');
}
