import type { Command } from 'commander';
import { completePage } from '../../../terminal/line/helpPage.ts';
import { type Launch, paths, pathsHelp } from '../../../terminal/line/launch.ts';
import { addCommand } from '../../../terminal/line/sharedOptions.ts';
import type { DevOptions } from './options.ts';

const shared = ['org', 'gvc', 'stack', 'env', 'embedded', 'data', 'dialect'] as const;

export function declareDev(program: Command, launch: Launch): void {
  const command = addCommand(program, 'dev', shared)
    .argument(paths, pathsHelp)
    .description('plan again whenever a file is saved, against the platform on this machine; Ctrl-C ends it')
    .option('--apply', 'apply every plan that is not refused, too', false)
    .action((given: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<DevOptions>(), async (context) => (await import('./run.ts')).runDev(context, given)),
    );
  completePage(command, 'dev', [
    ['gantry dev shop', 'the stack of the folder shop, and every file that it imports'],
    ['gantry dev . --apply', 'each save is applied: the next plan shows what the next save changes'],
    ['gantry dev . -o json', 'for programs: one line for each round'],
  ]);
}
