import type { OptionRow } from '../kinds/common/client.ts';
import { UsageError } from '../terminal/usageError.ts';
import type { CommandRow } from './call/command.ts';
import { commonOptions } from './table/options.ts';

/** The words after a noun, as they were written. */
export interface WrittenLine {
  /** Without options and their values. */
  readonly words: readonly string[];
  /** Undefined if no command begins with these words. */
  readonly row: CommandRow | undefined;
}

/**
 * Reads a line as far as possible, even a wrong one. Errors: `cli.usage` if an option is in the place of another one's
 * value, because commander would treat it as the value.
 */
export function readLine(args: readonly string[], rows: readonly CommandRow[]): WrittenLine {
  const end = args.indexOf('--');
  const line = end === -1 ? args : args.slice(0, end);
  const [first, second] = [wordsIn(line, commonOptions), wordsIn(line, allOptions(rows))];
  const row = rowOf(first, rows) ?? rowOf(second, rows);
  const options = [...(row?.options ?? []), ...commonOptions];
  const flags = new Set(options.flatMap(flagsOf));
  for (const [index, arg] of line.entries()) {
    const option = options.find((each) => isValued(each) && flagsOf(each).includes(arg));
    const next = line[index + 1];
    if (option === undefined || next === undefined || !flags.has(next)) continue;
    if (index > 0 && isValueOf(line[index - 1], options)) continue;
    throw new UsageError(`option '${option.flags}' argument missing`, `${next} is an option, not a value.`);
  }
  for (const option of row?.options ?? []) requireOnce(option, line, options);
  return { words: wordsIn(line, options), row };
}

/** Commander would silently take the last value. Options of all commands may be in an alias: there the last counts. */
function requireOnce(option: OptionRow, line: readonly string[], options: readonly OptionRow[]): void {
  if (option.isRepeatable === true || !isValued(option)) return;
  const flags = flagsOf(option);
  const times = line.filter(
    (arg, index) =>
      !isValueOf(line[index - 1], options) &&
      flags.some((flag) => arg === flag || (flag.startsWith('--') && arg.startsWith(`${flag}=`))),
  ).length;
  if (times < 2) return;
  throw new UsageError(`option '${option.flags}' is given ${times} times`, 'Give it once: only one value counts.');
}

/** Such as `-o`, `--output`. */
export function flagsOf({ flags }: OptionRow): readonly string[] {
  return flags.split(/[ ,]+/).filter((word) => word.startsWith('-'));
}

function isValued({ flags }: OptionRow): boolean {
  return flags.includes('<');
}

function isValueOf(before: string | undefined, options: readonly OptionRow[]): boolean {
  return before !== undefined && options.some((each) => isValued(each) && flagsOf(each).includes(before));
}

function allOptions(rows: readonly CommandRow[]): readonly OptionRow[] {
  return [...commonOptions, ...rows.flatMap(({ options = [] }) => options)];
}

function wordsIn(line: readonly string[], options: readonly OptionRow[]): readonly string[] {
  return line.filter((arg, index) => !arg.startsWith('-') && !isValueOf(line[index - 1], options));
}

function rowOf(words: readonly string[], rows: readonly CommandRow[]): CommandRow | undefined {
  return rows.find(({ verb }) => verb === words.slice(0, verb.split(' ').length).join(' '));
}
