import type { Noun } from '../terminal/line/nouns.ts';
import type { CommandRow, OptionRow } from './call/command.ts';
import { commonOptions } from './table/options.ts';
import { aboutNoun, allRows } from './table/rows.ts';

/** A page for `man`, by its file: `gantry-workload.1`. */
export async function manPages(version: string): Promise<ReadonlyMap<string, string>> {
  return new Map([...(await allRows())].map(([noun, rows]) => [`gantry-${noun}.1`, manPage(noun, rows, version)]));
}

function manPage(noun: Noun, rows: readonly CommandRow[], version: string): string {
  return [
    `.TH "GANTRY-${noun.toUpperCase()}" "1" "" "gantry ${version}" "Gantry"`,
    '.SH NAME',
    `gantry\\-${noun} \\- ${escaped(aboutNoun(noun).replace(/\.$/, ''))}`,
    '.SH SYNOPSIS',
    `.B gantry ${noun}`,
    '.I command',
    '[options]',
    '.SH COMMANDS',
    ...rows.flatMap((row) => commandLines(noun, row)),
    '.SH OPTIONS OF ALL COMMANDS',
    ...commonOptions.flatMap(optionLines),
    '.SH FILES',
    '.TP',
    '~/.config/gantry/profiles',
    'profiles of this user',
    '.SH EXIT STATUS',
    '0 done, 1 failed, 6 the platform cannot be reached, 64 wrong command line, 130 interrupted.',
    '',
  ].join('\n');
}

function commandLines(
  noun: string,
  { verb, about, args = [], options = [], examples = [] }: CommandRow,
): readonly string[] {
  return [
    `.SS ${escaped(['gantry', noun, verb, ...args].join(' '))}`,
    escaped(`${about[0]?.toUpperCase()}${about.slice(1)}.`),
    ...options.flatMap(optionLines),
    ...examples.flatMap(([line, why]) => [
      '.PP',
      '.nf',
      escaped(`    ${line}${why === '' ? '' : `  # ${why}`}`),
      '.fi',
    ]),
  ];
}

function optionLines({ flags, about, choices, usual, many, required }: OptionRow): readonly string[] {
  const more = [
    ...(required === true ? ['required'] : []),
    ...(many === true ? ['repeatable'] : []),
    ...(choices === undefined ? [] : [`one of ${choices.join(', ')}`]),
    ...(usual === undefined ? [] : [`default: ${usual}`]),
  ];
  return ['.TP', `.B ${escaped(flags)}`, escaped(`${about}${more.length === 0 ? '' : ` (${more.join('; ')})`}`)];
}

/** A line of text that roff does not take for one of its own. */
function escaped(text: string): string {
  const plain = text.replaceAll('\\', '\\e').replaceAll('-', '\\-');
  return /^[.']/.test(plain) ? `\\&${plain}` : plain;
}
