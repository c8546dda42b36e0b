import type { Command } from 'commander';
import { compact } from '../base/json/present.ts';
import type { OptionRow } from '../kinds/common/client.ts';
import { fullName, leafCommands } from '../terminal/commandTree.ts';
import { exitMeanings } from '../terminal/exitCode.ts';
import { examplesOf, optionDescription } from '../terminal/helpPage.ts';
import { nouns } from '../terminal/nouns.ts';
import { sharedFlagsOf, sharedOptions } from '../terminal/sharedOptions.ts';
import type { CommandRow } from './call/command.ts';
import { commonOptions } from './table/options.ts';
import { aboutNoun, allRows } from './table/rows.ts';

/** The pages for `man`, by file: `gantry.1`, and one for each first word, `gantry-plan.1`, `gantry-workload.1`. */
export async function manPages(program: Command, version: string): Promise<ReadonlyMap<string, string>> {
  const rows = await allRows();
  const words = [...new Set([...program.commands.map((command) => command.name()), ...nouns])];
  const abouts = new Map(words.map((word) => [word, aboutWord(word, program)]));
  const pages = words.map((word) => {
    const noun = nouns.find((each) => each === word);
    const own = noun === undefined ? [] : (rows.get(noun) ?? []);
    const command = program.commands.find((each) => each.name() === word);
    const text = page(`gantry-${word}`, abouts.get(word) ?? '', version, [
      '.SH SYNOPSIS',
      `.B gantry ${escaped(word)}`,
      ...synopsis(own.length > 0 || command === undefined ? undefined : command),
      '.SH COMMANDS',
      ...own.flatMap((row) => rowLines(word, row)),
      ...(command === undefined ? [] : leavesOf(command).flatMap(commandLines)),
      ...(own.length === 0 ? [] : ['.SH OPTIONS OF ALL COMMANDS', ...commonOptions.flatMap(rowOptionLines)]),
    ]);
    return [`gantry-${word}.1`, text] as const;
  });
  const first = page('gantry', program.description(), version, [
    '.SH SYNOPSIS',
    '.B gantry',
    '.I command',
    '[options]',
    '.SH COMMANDS',
    ...words.flatMap((word) => term(`gantry ${word}`, `${abouts.get(word)} See gantry-${word}(1).`)),
    '.SH OPTIONS OF SEVERAL COMMANDS',
    ...Object.values(sharedOptions).flatMap(({ flags, description }) => term(flags, description)),
  ]);
  return new Map([['gantry.1', first], ...pages]);
}

function page(name: string, about: string, version: string, body: readonly string[]): string {
  return [
    `.TH "${name.toUpperCase()}" "1" "" "gantry ${version}" "Gantry"`,
    '.SH NAME',
    `${escaped(name)} \\- ${escaped(about.replace(/\.$/, ''))}`,
    ...body,
    '.SH FILES',
    ...term('gantry.yaml', 'settings of a project, in its folder'),
    ...term('~/.config/gantry/profiles', 'profiles of this user'),
    '.SH EXIT STATUS',
    ...Object.entries(exitMeanings).flatMap(([code, words]) => term(code, words.replaceAll('`', ''))),
    ...(name === 'gantry' ? [] : ['.SH SEE ALSO', '.BR gantry (1)']),
    '',
  ].join('\n');
}

function aboutWord(word: string, { commands }: Command): string {
  const noun = nouns.find((each) => each === word);
  return noun === undefined
    ? sentence(commands.find((each) => each.name() === word)?.description() ?? '')
    : aboutNoun(noun);
}

function leavesOf(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : leafCommands(command);
}

/** The words after the first one. `command`: undefined, or with subcommands, or a plain command. */
function synopsis(command: Command | undefined): readonly string[] {
  return command === undefined || command.commands.length > 0
    ? ['.I command', '[options]']
    : [escaped(command.usage())];
}

function commandLines(command: Command): readonly string[] {
  const shared = sharedFlagsOf(command);
  const own = command.options.filter(({ hidden }) => !hidden);
  return [
    `.SS ${escaped(`gantry ${fullName(command)} ${command.usage()}`)}`,
    escaped(sentence(command.description())),
    ...command.registeredArguments.flatMap((argument) => term(argument.name(), argument.description)),
    ...own.flatMap((option) => term(option.flags, optionDescription(option))),
    ...(shared.length === 0 ? [] : ['.PP', escaped(`Options that are described in gantry(1): ${shared.join(' ')}`)]),
    ...exampleLines(examplesOf(command)),
  ];
}

function rowLines(
  noun: string,
  { verb, about, args = [], options = [], examples = [] }: CommandRow,
): readonly string[] {
  return [
    `.SS ${escaped(['gantry', noun, verb, ...args].join(' '))}`,
    escaped(sentence(about)),
    ...options.flatMap(rowOptionLines),
    ...exampleLines(examples),
  ];
}

function rowOptionLines({ flags, about, choices, defaultText, isRepeatable, required }: OptionRow): readonly string[] {
  const more = compact([
    required === true ? 'required' : undefined,
    isRepeatable === true ? 'repeatable' : undefined,
    choices === undefined ? undefined : `one of ${choices.join(', ')}`,
    defaultText === undefined ? undefined : `default: ${defaultText}`,
  ]);
  return term(flags, `${about}${more.length === 0 ? '' : ` (${more.join('; ')})`}`);
}

function exampleLines(examples: readonly (readonly [string, string])[]): readonly string[] {
  return examples.flatMap(([line, why]) => [
    '.PP',
    '.nf',
    escaped(`    ${line}${why === '' ? '' : `  # ${why}`}`),
    '.fi',
  ]);
}

function term(name: string, words: string): readonly string[] {
  return ['.TP', `.B ${escaped(name)}`, escaped(words)];
}

function sentence(about: string): string {
  return `${about[0]?.toUpperCase() ?? ''}${about.slice(1).replace(/\.$/, '')}.`;
}

/** Text that roff does not interpret as its own requests. */
function escaped(text: string): string {
  const plain = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/\s*\n\s*/g, ' ');
  return /^[.']/.test(plain) ? `\\&${plain}` : plain;
}
