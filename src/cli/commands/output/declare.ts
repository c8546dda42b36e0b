import type { Command } from 'commander';
import { completePage } from '../../../terminal/line/helpPage.ts';
import { type Launch, paths, pathsHelp } from '../../../terminal/line/launch.ts';
import { addCommand, platformOptions } from '../../../terminal/line/sharedOptions.ts';
import type { OutputCommandOptions } from './run.ts';

export function declareOutput(program: Command, launch: Launch): void {
  const command = addCommand(program, 'output', platformOptions)
    .argument('[name]', 'the name of one output, whose value alone is printed')
    .argument(paths, pathsHelp)
    .description('print the outputs of a stack, as they are now')
    .option('--all', 'print those of all stacks of the app', false)
    .option('--reveal', 'print sensitive values instead of masks', false)
    .action((name: string | undefined, given: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<OutputCommandOptions>(), async (context) =>
        (await import('./run.ts')).runOutput(context, name, given),
      ),
    );
  completePage(command, 'outputs', [
    ['gantry output', 'all outputs of the stack in this folder'],
    ['curl "$(gantry output url)"', 'one value, for a script'],
    ['gantry output url shop/network', 'of the stack network of the app in the folder shop'],
    ['gantry output . -o json', 'for programs'],
  ]);
}
