import { type Command, Help, type HelpConfiguration, type Option } from 'commander';
import { compact } from '../base/json/present.ts';
import { nouns } from './nouns.ts';
import { sharedFlagsOf } from './sharedOptions.ts';

/** Longer lines are hard to read. */
const widest = 120;
const usualWidth = 80;

export function helpWidthOf(columns: number | undefined): number {
  return Math.min(widest, columns || usualWidth);
}

/**
 * The commands below a command, then its own options, in groups; those that it shares with others are listed below
 * them.
 */
export const helpPage: HelpConfiguration = {
  minWidthToWrap: 12,
  visibleOptions: ({ options }) => options.filter(({ hidden }) => !hidden),
  optionDescription,
  subcommandTerm: (command) => command.name(),
  formatHelp(command, helper) {
    const blocks = new Help().formatHelp(command, helper).split('\n\n');
    const commands = blocks.filter((block) => block.startsWith('Commands:'));
    const others = blocks.filter((block) => !commands.includes(block));
    const options = others.findIndex((block) => block.startsWith('Options:'));
    const ofKinds = command.parent === null ? [kindsBlock(helper.helpWidth ?? usualWidth)] : [];
    const page = others
      .toSpliced(options < 0 ? others.length : options, 0, ...commands, ...ofKinds)
      .map((block) => block.trimEnd())
      .join('\n\n');
    return `${page}\n`;
  },
};

function kindsBlock(width: number): string {
  return ['Commands on single resources (gantry KIND --help):', ...indented(nouns.join(' '), width)].join('\n');
}

function indented(text: string, width: number): readonly string[] {
  const wrapped = new Help().boxWrap(text, width - 2);
  return wrapped.split('\n').map((line) => `  ${line}`);
}

/** Commander's own text, without quotation marks, and without empty defaults: false, 0, an empty list. */
export function optionDescription(option: Option): string {
  const { description, argChoices, defaultValue, defaultValueDescription, mandatory } = option;
  const said = typeof defaultValue === 'string' || (typeof defaultValue === 'number' && defaultValue !== 0);
  const more = compact([
    mandatory ? 'required' : undefined,
    mandatory && Array.isArray(defaultValue) ? 'repeatable' : undefined,
    argChoices === undefined ? undefined : `choices: ${argChoices.join(', ')}`,
    said ? `default: ${defaultValueDescription ?? defaultValue}` : undefined,
  ]);
  return more.length === 0 ? description : `${description} (${more.join('; ')})`;
}

type Examples = readonly (readonly [line: string, why: string])[];

const examplesByCommand = new WeakMap<Command, Examples>();

/** The examples from `completePage`. */
export function examplesOf(command: Command): Examples {
  return examplesByCommand.get(command) ?? [];
}

/** The shared options of a command in one line, the schema of its document for programs, and its examples. */
export function completePage(command: Command, document: string | undefined, examples: Examples): void {
  examplesByCommand.set(command, examples);
  command.addHelpText('after', () => {
    const width = widthOf(command);
    const schema = document === undefined ? [] : [`JSON Schema of -o json: gantry schema ${document}`];
    return ['', ...sharedLines(command, width), ...schema, '', 'Examples:', ...exampleLines(examples, width)].join(
      '\n',
    );
  });
}

/** The width of the terminal that help is printed on. */
export function widthOf(command: Command): number {
  return command.configureOutput().getOutHelpWidth?.() ?? usualWidth;
}

function sharedLines(command: Command, width: number): readonly string[] {
  const flags = sharedFlagsOf(command).filter((flag) => !/^--no-(color|pager)$/.test(flag));
  if (flags.length === 0) return ['Options that several commands share: gantry help options'];
  return ['Shared options (gantry help options):', ...indented(flags.join(' '), width)];
}

/** `$ command  # why`, or with the reason above if the line is too long. */
export function exampleLines(examples: Examples, width: number): readonly string[] {
  const longest = Math.max(...examples.map(([line]) => line.length));
  const fits = examples.every(([, why]) => longest + why.length + 8 <= width);
  return examples.flatMap(([line, why]) =>
    fits ? [`  $ ${line.padEnd(longest)}  # ${why}`] : [`  # ${why}`, `  $ ${line}`],
  );
}
