import { type Command, Help } from 'commander';
import { commandAt, leafCommands } from '../../../terminal/line/commandTree.ts';
import { insteadOfCommand } from '../../../terminal/line/habits.ts';
import { completePage, widthOf } from '../../../terminal/line/helpPage.ts';
import { addShared, type SharedOption, sharedOptions } from '../../../terminal/line/sharedOptions.ts';

/** `gantry help [topic]`: the page of a command, or of the options that several commands share. */
export function declareHelp(program: Command): void {
  const help = addShared(program.command('help'), [])
    .usage('[topic]')
    .argument('[topic...]', 'a command, or the word options')
    .description('print the help of a command, or of the options that several commands share')
    .action(async (words: readonly string[]) => {
      if (words.length === 0) return program.outputHelp();
      const topic = words.join(' ');
      if (topic === 'options') return help.configureOutput().writeOut?.(optionsPage(program, widthOf(help)));
      const found = commandAt(program, words);
      if (found?.path.length === words.length) return found.command.outputHelp();
      const { UsageError } = await import('../../../terminal/line/usageError.ts');
      const instead = insteadOfCommand(words[0] ?? '') ?? 'gantry --help lists all commands.';
      throw new UsageError(`there is no help for '${topic}'`, instead);
    });
  completePage(help, undefined, [['gantry help options', '--org, --embedded, -o, and the like']]);
}

/** With who knows each of them, and where else it can be said. */
function optionsPage(program: Command, width: number): string {
  const help = new Help();
  help.helpWidth = width;
  const entries: readonly SharedOption[] = Object.values(sharedOptions);
  const termWidth = Math.max(...entries.map(({ flags }) => flags.length));
  const items = entries.map((entry) => help.formatItem(entry.flags, termWidth, aboutOf(entry, program), help));
  const intro =
    'Options that several commands share. They may come before or after the command. A flag overrides the ' +
    'environment, which overrides gantry.yaml; gantry serve reads flags only.';
  return `${help.boxWrap(intro, width)}\n\n${items.join('\n')}\n`;
}

function aboutOf(entry: SharedOption, { commands }: Command): string {
  const { description, choices, default: value, environment, setting, otherwise } = entry;
  const places = [
    ...(environment === undefined ? [] : [environment]),
    ...(setting === undefined ? [] : [`${setting} in gantry.yaml`]),
  ];
  const lacks = ({ options }: Command): boolean =>
    options.length > 0 && options.every(({ flags }) => flags !== entry.flags);
  const without = commands.filter((each) =>
    each.commands.length === 0 ? each.name() !== 'help' && lacks(each) : leafCommands(each).every(lacks),
  );
  return [
    `${description}.`,
    ...(choices === undefined ? [] : [`Choices: ${choices.join(', ')} (default: ${value}).`]),
    ...(places.length === 0
      ? []
      : [`If omitted: ${[...places, ...(otherwise === undefined ? [] : [otherwise])].join(', then ')}.`]),
    ...(without.length === 0 ? [] : [`Not available in ${without.map((each) => each.name()).join(', ')}.`]),
  ].join(' ');
}
