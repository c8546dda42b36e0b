import type { Thrown } from '../../base/thrown.ts';

/**
 * The message of a parser (of JavaScript, TypeScript or JSON) without what it quotes from the text: that may be a
 * secret. Punctuation is kept.
 */
function parserMessage(message: string): string {
  if (/ is not valid JSON$/.test(message)) return 'the text is not valid JSON';
  return message
    .replace(/, got .*$/, '')
    .replace(/^(Invalid regular expression): \/.*: ([^:/]*)$/, '$1: $2')
    .replace(/^(Unexpected \w+) .*\w.*$/, '$1')
    .replaceAll(/(['"`])(?=[^'"`]*\w)[^'"`]*\1/g, '…');
}

/** The text of an error, by its name and its message; of a text that is no program with the words of the parser. */
export function errorText({ name, message, code }: Pick<Thrown, 'name' | 'message' | 'code'>): string {
  const parser = name === 'SyntaxError' || code?.endsWith('_TYPESCRIPT_SYNTAX') === true;
  return `${name}: ${parser ? parserMessage(message) : message}`;
}
