import { inWords } from '../base/text/inWords.ts';
import { UsageError } from '../base/usageError.ts';

export { UsageError };

export function twoPlatforms(): UsageError {
  return new UsageError('--embedded and --endpoint exclude each other', 'Leave out one of the two.');
}

/** An empty PATH would mean the current folder, and no other value is meant to be empty. */
export function emptyValue(words: readonly string[], at: number): UsageError {
  const word = words[at] || undefined;
  const what = word === undefined ? `the value after ${words[at - 1] ?? 'gantry'} is empty` : `${word} has no value`;
  return new UsageError(what, 'A variable of the shell may be empty. Give a value, or leave the option out.');
}

/** Rewords a sentence of commander. */
export function plainly(said: string): string {
  const missing = /^required option '(?:-., )?(--[a-z-]+)(?: <(.+)>)?' not specified/.exec(said);
  if (missing !== null) return missingOption(missing[1] ?? '', missing[2]);
  const [, flag, value, choices = ''] =
    /^option '(?:-., )?(--[a-z-]+)[^']*' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/s.exec(said) ?? [];
  if (flag === undefined) return said;
  return `${flag} must be ${inWords(choices.split(', '), 'or')}, not ${JSON.stringify(value)}`;
}

/** Omits the value if the option has none. */
export function missingOption(flag: string, value?: string): string {
  return `${flag}${value === undefined ? '' : ` ${value.toUpperCase()}`} is missing`;
}
