import { Command, CommanderError, Option } from 'commander';
import { openPlatform, type Platform } from '../../automation/platform/platform.ts';
import { openProject } from '../../automation/settings/project.ts';
import { suggest } from '../../schema/text/suggest.ts';
import type { Ending } from '../answer/ending.ts';
import type { CommandContext } from '../line/context.ts';
import { exampleLines, helpPage, helpWidthOf, widthOf } from '../line/helpPage.ts';
import type { Launch } from '../line/launch.ts';
import type { Noun } from '../line/nouns.ts';
import { collect } from '../line/optionValues.ts';
import { UsageError } from '../line/usageError.ts';
import type { ClientOptions, CommandRow, OptionRow, Run } from './call/command.ts';
import { type ClientFormat, documentFormat } from './model/format.ts';
import { Given } from './model/given.ts';
import { commonOptions } from './table/options.ts';
import { aboutNoun, rowsOf } from './table/rows.ts';
import { Api } from './wire/api.ts';
import { watchingOn } from './wire/watching.ts';

/** More is not accepted of one answer: a person waits for it. */
const bounds = { bodyBytes: 32 * 1024 * 1024 };

/** What commander hands over; `output` becomes `form`. */
interface Parsed extends Omit<ClientOptions, 'form' | 'output'> {
  readonly output: ClientFormat;
}

/** Finds a command on single resources and launches it. Errors: `cli.usage`, and those of the launch. */
export async function parseClientLine([noun, ...args]: readonly [Noun, ...string[]], launch: Launch): Promise<void> {
  const program = makeClientProgram(noun, launch);
  try {
    await program.parseAsync([noun, ...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return;
    throw wrongLine(error, noun, args);
  }
}

/** The commands of one noun; those of others are not declared. */
export function makeClientProgram(noun: Noun, launch: Launch): Command {
  const program = new Command('gantry')
    .helpOption('-h, --help', 'print help')
    .configureHelp(helpPage)
    .exitOverride()
    .configureOutput({
      outputError: () => {}, // told with all other errors, in the same form
      getOutHelpWidth: () => helpWidthOf(process.stdout.columns),
      getErrHelpWidth: () => helpWidthOf(process.stderr.columns),
    });
  const parent = program.command(noun).description(aboutNoun(noun)).usage('<command> [options]');
  // Positional: an option behind the verb is the verb's, also one that may stand before it.
  for (const each of [program, parent]) each.helpCommand(false).enablePositionalOptions();
  for (const row of commonOptions) parent.addOption(optionOf(withoutDefault(row)));
  const groups = new Map<string, Command>();
  for (const row of rowsOf(noun)) declare(parent, groups, noun, row, launch);
  return program;
}

function declare(parent: Command, groups: Map<string, Command>, noun: Noun, row: CommandRow, launch: Launch): void {
  const [first = '', second] = row.verb.split(' ');
  const command = second === undefined ? parent.command(first) : groupOf(parent, groups, first).command(second);
  command.description(row.about);
  for (const argument of row.args ?? []) command.argument(argument);
  for (const option of row.options ?? []) command.addOption(optionOf(option));
  for (const option of commonOptions) command.addOption(optionOf(option).hideHelp());
  command.addHelpText('after', () => afterHelp(command, noun, row));
  command.action((...action: readonly unknown[]) => {
    const parsed = command.optsWithGlobals<Parsed & Record<string, unknown>>();
    const args = command.processedArgs.flat().filter((each) => typeof each === 'string');
    void action;
    const { output: form, max, ...others } = parsed;
    const options: ClientOptions = { ...others, max: Number(max), form, output: documentFormat(form) };
    return launch(options, (context) => runIn(context, noun, row, args, new Given(parsed)));
  });
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
  groups.set(name, made);
  return made;
}

const groupsAbout: Readonly<Record<string, string>> = {
  cron: 'runs of cron workloads',
  replica: 'replicas of a workload',
  snapshot: 'snapshots of volumes',
  volume: 'volumes of a set',
};

function optionOf({ flags, about, many, required, choices, usual, parse }: OptionRow): Option {
  const option = new Option(flags, many === true ? `${about} (repeatable)` : about);
  if (choices !== undefined && many !== true) option.choices(choices);
  if (parse !== undefined) option.argParser(parse);
  if (many === true) option.argParser(collect).default([]);
  if (usual !== undefined) option.default(parse === undefined ? usual : parse(usual));
  if (required === true) option.makeOptionMandatory();
  return option;
}

/** Where a default would hide what was given at another place. */
function withoutDefault({ usual, ...row }: OptionRow): OptionRow {
  return usual === undefined ? row : { ...row, about: `${row.about} (default: ${usual})` };
}

function afterHelp(command: Command, noun: Noun, { examples = [] }: CommandRow): string {
  const common = ['', `Options that all commands on ${noun} have: gantry ${noun} --help`];
  return [
    ...common,
    ...(examples.length === 0 ? [] : ['', 'Examples:', ...exampleLines(examples, widthOf(command))]),
  ].join('\n');
}

/** Runs a command, and closes the platform that it opened. */
async function runIn(
  context: CommandContext<ClientOptions>,
  noun: Noun,
  row: CommandRow,
  args: readonly string[],
  given: Given,
): Promise<Ending> {
  requireLists(row, given);
  const run: Run = await row.load();
  let opened: { readonly platform: Platform; readonly api: Api } | undefined;
  try {
    return await run({
      noun,
      verb: row.verb,
      context,
      args,
      given,
      async open() {
        opened ??= await connect(context);
        return opened.api;
      },
    });
  } finally {
    await opened?.platform.close();
  }
}

/** Commander takes the empty list of a repeatable option for a value. */
function requireLists({ options = [] }: CommandRow, given: Given): void {
  for (const { flags, many, required } of options) {
    if (many !== true || required !== true) continue;
    const name = new Option(flags).attributeName();
    if (given.list(name).length > 0) continue;
    throw new UsageError(`required option '${flags}' not specified`, 'It may be given several times.');
  }
}

async function connect(context: CommandContext<ClientOptions>): Promise<{ platform: Platform; api: Api }> {
  const { settings, profile } = await openProject(context, []);
  const platform = await openPlatform({ ...context, options: { ...context.options, bounds } }, settings);
  const gvc = settings.gvc ?? profile?.profile.gvc;
  return { platform, api: new Api(platform.client, gvc, watchingOn(context)) };
}

/** What commander says of a wrong command line, in our form. */
function wrongLine({ code, message }: CommanderError, noun: Noun, args: readonly string[]): UsageError {
  const rows = rowsOf(noun);
  const words = args.filter((arg) => !arg.startsWith('-'));
  const row = rows.find(({ verb }) => verb === words.slice(0, verb.split(' ').length).join(' '));
  if (code === 'commander.help') {
    return new UsageError(`no command is given`, `There are: ${rows.map(({ verb }) => verb).join(', ')}.`);
  }
  const [first = '', suggestion] = message.replace(/^error: /, '').split('\n');
  const unknown = code === 'commander.unknownCommand' ? words.join(' ') : undefined;
  if (unknown !== undefined) {
    const verbs = rows.map(({ verb }) => verb);
    const meant = suggest(words[0] ?? '', verbs) ?? suggest(words.slice(0, 2).join(' '), verbs);
    const hint = meant === undefined ? `There are: ${verbs.join(', ')}.` : `Did you mean gantry ${noun} ${meant}?`;
    return new UsageError(`there is no command '${words[0]}' of gantry ${noun}`, hint);
  }
  const help = row === undefined ? `gantry ${noun} --help` : `gantry ${noun} ${row.verb} --help`;
  return new UsageError(first, suggestion?.replace(/^\((.*)\)$/, '$1') ?? `See ${help}.`);
}
