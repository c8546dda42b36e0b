import type { Command, CommanderError } from 'commander';
import { inWords } from '../../base/text/inWords.ts';
import { suggest } from '../../base/text/suggest.ts';
import { commandAt, fullName, leafCommands } from './commandTree.ts';
import { insteadOf } from './foreignOptions.ts';
import { insteadOfCommand } from './habits.ts';
import { nouns } from './nouns.ts';
import { plainly, UsageError } from './usageError.ts';

/** What commander says of a command line (`error: unknown option '--yess'`), in our form and with what was meant. */
export function wrongCommandLine(
  { code, message }: CommanderError,
  args: readonly string[],
  program: Command,
): UsageError {
  const command = commandAt(program, args)?.command;
  if (code === 'commander.help') {
    return command === undefined
      ? new UsageError('no command is given')
      : new UsageError(`gantry ${fullName(command)} needs one of its commands`, seeHelp(command));
  }
  const [first = '', suggestion] = message.replace(/^error: /, '').split('\n');
  const unknown = foreignWord(args) ?? /^unknown option '(-[^'=]+)/.exec(first)?.[1];
  if (unknown !== undefined) return unknownOption(unknown, args, program);
  const isFirst = code === 'commander.unknownCommand' && program.commands.every((each) => each.name() !== args[0]);
  const hint = isFirst ? meantCommand(args[0] ?? '', program) : suggestion?.replace(/^\((.*)\)$/, '$1');
  return new UsageError(plainly(first), hint ?? seeHelp(command));
}

/** The nearest command, or kind of resource. */
function meantCommand(word: string, { commands }: Command): string | undefined {
  const foreign = insteadOfCommand(word);
  if (foreign !== undefined) return foreign;
  const meant = suggest(word, [...commands.map((command) => command.name()), ...nouns]);
  return meant === undefined ? undefined : `Did you mean ${meant}?`;
}

/** `-out=FILE` would be read as `-o` with a value: a word behind one hyphen is an option of another tool. */
function foreignWord(args: readonly string[]): string | undefined {
  const end = args.indexOf('--');
  const words = args.slice(0, end === -1 ? args.length : end).map((arg) => /^-[a-z][a-z-]+/.exec(arg)?.[0]);
  return words.find((word) => word !== undefined && insteadOf(word) !== undefined);
}

function unknownOption(flag: string, args: readonly string[], program: Command): UsageError {
  const command = commandAt(program, args)?.command;
  return new UsageError(
    `unknown option '${flag}'${command === undefined ? '' : ` of gantry ${fullName(command)}`}`,
    hintFor(flag, command, program),
  );
}

function hintFor(flag: string, command: Command | undefined, program: Command): string {
  const commands = leafCommands(program);
  const owners = commands.filter(({ options }) => options.some(({ short, long }) => flag === short || flag === long));
  if (owners.length > 0) return `${flag} is an option of ${inWords(owners.map(fullName), 'and')}.`;
  const instead = insteadOf(flag);
  if (instead !== undefined) return instead;
  const known = (command === undefined ? commands : [command]).flatMap(({ options }) =>
    options.map(({ long }) => long ?? ''),
  );
  const meant = suggest(flag.replace(/^-(?!-)/, '--'), known);
  if (meant !== undefined) return `Did you mean ${meant}?`;
  return seeHelp(command);
}

function seeHelp(command: Command | undefined): string {
  return `See gantry ${command === undefined ? '' : `${fullName(command)} `}--help.`;
}
