import type { Command } from 'commander';
import { completePage } from '../../../terminal/line/helpPage.ts';
import { type Launch, paths, pathsHelp } from '../../../terminal/line/launch.ts';
import { addCommand } from '../../../terminal/line/sharedOptions.ts';
import type { PromoteCommandOptions } from './run.ts';

export function declarePromote(program: Command, launch: Launch): void {
  const command = addCommand(program, 'promote', [])
    .argument('<from>', 'the environment to promote from')
    .argument('<to>', 'the environment to promote to')
    .argument(paths, pathsHelp)
    .description('compare what two environments declare, and carry values from one to the other')
    .option('--write', 'carry values over, into gantry.yaml', false)
    .option('--detailed-exitcode', 'exit with 2 if something differs that may not', false)
    .action((from: string, to: string, given: string[]) =>
      launch(command.opts<PromoteCommandOptions>(), async (context) =>
        (await import('./run.ts')).runPromote(context, { from, to }, given),
      ),
    );
  completePage(command, 'promotion', [
    ['gantry promote dev prod', 'what differs'],
    ['gantry promote dev prod --write', 'then: git diff gantry.yaml'],
  ]);
}
