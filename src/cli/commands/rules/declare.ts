import type { Command } from 'commander';
import { completePage } from '../../../terminal/line/helpPage.ts';
import type { Launch } from '../../../terminal/line/launch.ts';
import type { OutputOptions } from '../../../terminal/line/options.ts';
import { addCommand } from '../../../terminal/line/sharedOptions.ts';

export function declareRules(program: Command, launch: Launch): void {
  const command = addCommand(program, 'rules', [])
    .description('list the rules that manifests are checked against')
    .action((_: unknown, parsed: Command) =>
      launch(parsed.opts<OutputOptions>(), async (context) => (await import('./run.ts')).runRules(context)),
    );
  completePage(command, 'rules', [
    ['gantry rules', 'as a table'],
    ['gantry rules -o json', 'as JSON'],
  ]);
}
