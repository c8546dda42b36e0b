import type { Thrown } from '../../base/thrown.ts';

/**
 * The message of a parser (JavaScript, TypeScript or JSON) without quotes from the text, which may be secret.
 * Punctuation is kept.
 */
function parserMessage(message: string): string {
  if (/ is not valid JSON$/.test(message)) return 'the text is not valid JSON';
  return message
    .replace(/, got .*$/, '')
    .replace(/^(Invalid regular expression): \/.*: ([^:/]*)$/, '$1: $2')
    .replace(/^(Unexpected \w+) .*\w.*$/, '$1')
    .replaceAll(/(['"`])(?=[^'"`]*\w)[^'"`]*\1/g, '…');
}

/** The name and message of an error; for syntax errors, the parser's words only. */
export function errorText({ name, message, code }: Pick<Thrown, 'name' | 'message' | 'code'>): string {
  const parser = name === 'SyntaxError' || code?.endsWith('_TYPESCRIPT_SYNTAX') === true;
  return `${name}: ${parser ? parserMessage(message) : message}`;
}
