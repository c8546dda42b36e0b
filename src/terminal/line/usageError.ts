import { inWords } from '../../base/text/inWords.ts';
import { ToolError } from '../../base/toolError.ts';

/** Flags that contradict each other, or one that is missing. */
export class UsageError extends ToolError {
  constructor(message: string, hint = 'See gantry --help.') {
    // What was typed is repeated in it, and may be a whole file.
    super({ code: 'cli.usage', message: message.replace(longWord, (word) => `${word.slice(0, longestWord)}…`), hint });
  }
}

const longestWord = 200;
const longWord = new RegExp(`\\S{${longestWord + 1},}`, 'g');

export function twoPlatforms(): UsageError {
  return new UsageError('--embedded and --endpoint exclude each other', 'Leave out one of the two.');
}

/** A sentence of commander in ours. */
export function plainly(said: string): string {
  const missing = /^required option '(?:-., )?(--[a-z-]+)(?: <(.+)>)?' not specified/.exec(said);
  if (missing !== null) return missingOption(missing[1] ?? '', missing[2]);
  const [, flag, value, choices = ''] =
    /^option '(?:-., )?(--[a-z-]+)[^']*' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/s.exec(said) ?? [];
  if (flag === undefined) return said;
  return `${flag} is ${inWords(choices.split(', '), 'or')}, not ${JSON.stringify(value)}`;
}

/** Without the value of the option where it has none. */
export function missingOption(flag: string, value?: string): string {
  return `${flag}${value === undefined ? '' : ` ${value.toUpperCase()}`} is missing`;
}
