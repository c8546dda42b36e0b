import type { Command } from 'commander';
import { type Launch, paths, pathsHelp } from '../../line/launch.ts';
import { completePage } from '../../line/helpPage.ts';
import { parseWaitTimeout } from '../../line/optionValues.ts';
import { addCommand, platformOptions } from '../../line/sharedOptions.ts';
import type { StatusOptions } from './run.ts';

export function declareStatus(program: Command, launch: Launch): void {
  const command = addCommand(program, 'status', platformOptions)
    .argument(paths, pathsHelp)
    .description('show whether everything of a stack is ready, and where it answers')
    .option('--watch', 'look again until all is ready or failed', false)
    .option('--wait-timeout <duration>', 'stop watching after 30s, 5m, 1h (default: never)', parseWaitTimeout)
    .action((given: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<StatusOptions>(), async (context) => (await import('./run.ts')).runStatus(context, given)),
    );
  completePage(command, 'status', [
    ['gantry status .', 'exit code: 0 all is ready, 2 not yet, 1 something failed'],
    ['gantry status --stack shop --watch', 'without manifests, until all is ready or failed'],
    ['gantry status . -o json', 'for programs'],
  ]);
}
