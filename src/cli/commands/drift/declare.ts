import type { Command } from 'commander';
import { completePage } from '../../../terminal/line/helpPage.ts';
import { type Launch, paths, pathsHelp } from '../../../terminal/line/launch.ts';
import { addNotifyOption } from '../../../terminal/line/optionGroups.ts';
import { addCommand, platformOptions } from '../../../terminal/line/sharedOptions.ts';
import { addReportOption } from '../../line/reportOption.ts';
import type { DriftOptions } from './run.ts';

export function declareDrift(program: Command, launch: Launch): void {
  const command = addCommand(program, 'drift', platformOptions)
    .argument(paths, pathsHelp)
    .description('show what others changed since this stack last wrote it')
    .option('--all', 'show the drift of all stacks of the app', false)
    .option('--detailed-exitcode', 'exit with 2 if there is drift', false)
    .action((given: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<DriftOptions>(), async (context) => (await import('./run.ts')).runDrift(context, given)),
    );
  addReportOption(command, 'drift');
  addNotifyOption(command);
  completePage(command, 'drift', [
    ['gantry drift . --detailed-exitcode', 'exit code: 0 no drift, 2 drift'],
    ['gantry drift shop --all', 'of all stacks of an app'],
  ]);
}
