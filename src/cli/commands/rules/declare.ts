import type { Command } from 'commander';
import { completePage } from '../../line/helpPage.ts';
import type { Launch } from '../../line/launch.ts';
import type { OutputOptions } from '../../line/options.ts';
import { addCommand } from '../../line/sharedOptions.ts';

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
