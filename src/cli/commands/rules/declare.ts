import type { Command } from 'commander';
import type { Launch } from '../../line/launch.ts';
import { completePage } from '../../line/helpPage.ts';
import { addCommand } from '../../line/sharedOptions.ts';
import type { OutputOptions } from '../../line/options.ts';

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
