import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { present } from '../base/json/present.ts';
import type { OptionRow } from '../kinds/common/client.ts';
import type { Launch } from '../terminal/context.ts';
import { exampleLines, helpPage, helpWidthOf, widthOf } from '../terminal/helpPage.ts';
import type { Noun } from '../terminal/nouns.ts';
import { collect, parseCount, parseWaitTimeout } from '../terminal/optionGroups.ts';
import { type ClientFormat, type ClientOptions, type CommandRow, documentFormat, Given } from './call/command.ts';
import { commonOptions } from './table/options.ts';
import { aboutNoun, absent, rowsOf } from './table/rows.ts';
import { readLine } from './writtenLine.ts';

/** Errors: `cli.usage`, and those of the launch. */
export async function parseClientLine([noun, ...args]: readonly [Noun, ...string[]], launch: Launch): Promise<void> {
  const help: string[] = [];
  const rows = await rowsOf(noun);
  const written = readLine(args, rows);
  const program = makeClientProgram({ noun, rows, launch, writeHelp: (text) => help.push(text) });
  try {
    await program.parseAsync([noun, ...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw (await import('./wrongLine.ts')).wrongLine(error, { noun, rows, ...written });
    const { openTerminal } = await import('../terminal/terminal.ts');
    await openTerminal({ pager: !args.includes('--no-pager') }).page(help.join('').trimEnd());
  }
}

interface Parts {
  readonly noun: Noun;
  readonly rows: readonly CommandRow[];
  readonly launch: Launch;
  readonly writeHelp: (text: string) => void;
}

/** The options as commander parses them; `output` becomes `form`. */
interface Parsed extends Omit<ClientOptions, 'form' | 'isWide' | 'output' | 'env' | 'input'> {
  readonly output: ClientFormat | 'wide';
}

/** The program with the commands of one noun; those of others are not declared. */
export function makeClientProgram(parts: Parts): Command {
  const { noun, rows, writeHelp } = parts;
  const program = new Command('gantry')
    .helpOption('-h, --help', 'print help')
    .configureHelp(helpPage)
    .exitOverride()
    .configureOutput({
      writeOut: writeHelp,
      writeErr: () => {}, // without a command, commander prints the noun's help: a two-line error replaces it
      outputError: () => {}, // reported with all other errors, in the same form
      getOutHelpWidth: () => helpWidthOf(process.stdout.columns),
      getErrHelpWidth: () => helpWidthOf(process.stderr.columns),
    });
  const parent = program.command(noun).description(aboutNoun(noun)).usage('<command> [options]');
  if (absent[noun] !== undefined) parent.addHelpText('after', `\n${absent[noun].why}`);
  // Positional: an option after the verb belongs to the verb, even if it may also precede it.
  for (const each of [program, parent]) each.helpCommand(false).enablePositionalOptions();
  for (const row of commonOptions) parent.addOption(optionOf(withoutDefault(row)));
  if (noun === 'policy')
    parent.addHelpText('after', '\nPolicies as code are something else: gantry policy test --help');
  const groups = new Map<string, Command>();
  for (const row of rows) {
    const [first = '', second] = row.verb.split(' ');
    const command = second === undefined ? parent.command(first) : groupOf(parent, groups, first).command(second);
    declare(command, row, parts);
  }
  return program;
}

function declare(command: Command, row: CommandRow, { noun, launch }: Parts): void {
  command.description(row.about);
  for (const argument of row.args ?? []) command.argument(argument);
  for (const option of row.options ?? []) command.addOption(optionOf(option));
  for (const option of commonOptions) {
    const { long = '' } = optionOf(option);
    if (!command.options.some((own) => own.long === long)) command.addOption(optionOf(option).hideHelp());
  }
  command.addHelpText('after', () => afterHelp(command, noun, row));
  command.action(() => {
    const parsed = command.optsWithGlobals<Parsed & Record<string, unknown>>();
    const args = command.processedArgs.flat().filter((each) => typeof each === 'string');
    const { output: written, max, env: _, ...others } = parsed;
    const { environment, variables } = envIn([parsed['env'], command.getOptionValue('env')].flat());
    const form = written === 'wide' ? 'text' : written;
    const options: ClientOptions = {
      ...others,
      ...present({ env: environment }),
      max: Number(max),
      input: !isWritten(command, 'input'),
      form,
      isWide: written === 'wide',
      output: documentFormat(form),
    };
    const given = new Given({ ...parsed, env: variables }, (name) => isWritten(command, name));
    return launch(options, async (context) => {
      const { runCommand } = await import('./runCommand.ts');
      return runCommand(context, { noun, row, args, given });
    });
  });
}

/** The values of `--env` before and after the verb: the last name is that of the environment. */
function envIn(written: readonly unknown[]) {
  const texts = new Set(written.filter((each) => typeof each === 'string'));
  const variables = [...texts].filter((text) => text.includes('='));
  return { variables, environment: [...texts].findLast((text) => !text.includes('=')) };
}

/** Also checks the options before the verb: the default of a negative option would hide one after the verb. */
function isWritten(command: Command, name: string): boolean {
  if (command.getOptionValueSource(name) === 'cli') return true;
  return command.parent !== null && isWritten(command.parent, name);
}

function groupOf(parent: Command, groups: Map<string, Command>, name: string): Command {
  const known = groups.get(name);
  if (known !== undefined) return known;
  const made = parent
    .command(name)
    .helpCommand(false)
    .enablePositionalOptions()
    .description(groupsAbout[name] ?? '')
    .usage('<command> [options]');
  for (const row of commonOptions) made.addOption(optionOf(withoutDefault(row)).hideHelp());
  groups.set(name, made);
  return made;
}

const groupsAbout: Readonly<Record<string, string>> = {
  cron: 'show, start and stop runs of cron workloads',
  replica: 'list and stop replicas of a workload',
  snapshot: 'make, list, restore and delete snapshots of volumes',
  volume: 'list and delete volumes of a volume set',
};

/** The parsers of option values; commander turns their exceptions into its own messages. */
const parsers: Readonly<Record<NonNullable<OptionRow['valueType']>, (text: string) => number>> = {
  count: parseCount,
  max: (text) => {
    if (/^-?\d{1,9}$/.test(text)) return Number(text);
    throw new InvalidArgumentError('It must be a whole number; 0 for all.');
  },
  number: (text) => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isFinite(value)) return value;
    throw new InvalidArgumentError('It must be a number.');
  },
  waitTimeout: parseWaitTimeout,
};

function optionOf({ flags, about, isRepeatable, required, choices, defaultText, valueType }: OptionRow): Option {
  const parse = valueType === undefined ? undefined : parsers[valueType];
  const option = new Option(flags, isRepeatable === true && required !== true ? `${about} (repeatable)` : about);
  if (choices !== undefined && isRepeatable !== true) option.choices(choices);
  if (parse !== undefined) option.argParser(parse);
  if (isRepeatable === true) option.argParser(collect).default([]);
  if (defaultText !== undefined) option.default(parse === undefined ? defaultText : parse(defaultText));
  if (required === true) option.makeOptionMandatory();
  return option;
}

/** Without its default, which would hide a value given elsewhere. */
function withoutDefault({ defaultText, ...row }: OptionRow): OptionRow {
  return defaultText === undefined ? row : { ...row, about: `${row.about} (default: ${defaultText})` };
}

function afterHelp(command: Command, noun: Noun, { examples = [] }: CommandRow): string {
  const common = ['', `Options that all commands on ${noun} have: gantry ${noun} --help`];
  return [
    ...common,
    ...(examples.length === 0 ? [] : ['', 'Examples:', ...exampleLines(examples, widthOf(command))]),
  ].join('\n');
}
