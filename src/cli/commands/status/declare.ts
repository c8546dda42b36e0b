import type { Command } from 'commander';
import { completePage } from '../../../terminal/line/helpPage.ts';
import { type Launch, paths, pathsHelp } from '../../../terminal/line/launch.ts';
import { parseWaitTimeout } from '../../../terminal/line/optionValues.ts';
import { addCommand, platformOptions } from '../../../terminal/line/sharedOptions.ts';
import type { StatusOptions } from './run.ts';

export function declareStatus(program: Command, launch: Launch): void {
  const command = addCommand(program, 'status', platformOptions)
    .argument(paths, pathsHelp)
    .description('show whether a stack is ready, and its addresses')
    .option('--all', 'show the status of all stacks of the app', false)
    .option('--watch', 'repeat until everything is ready or failed', false)
    .option('--wait-timeout <duration>', 'stop watching after 30s, 5m, 1h (default: never)', parseWaitTimeout)
    .action((given: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<StatusOptions>(), async (context) => (await import('./run.ts')).runStatus(context, given)),
    );
  completePage(command, 'status', [
    ['gantry status .', 'exit code: 0 ready, 2 not ready yet, 1 failed'],
    ['gantry status --stack shop --watch', 'without manifests, until everything is ready or failed'],
    ['gantry status . -o json', 'for programs'],
  ]);
}
