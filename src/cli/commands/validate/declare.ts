import type { Command } from 'commander';
import { completePage } from '../../../terminal/line/helpPage.ts';
import { type Launch, paths, pathsHelp } from '../../../terminal/line/launch.ts';
import type { GlobalOptions } from '../../../terminal/line/options.ts';
import { addCommand } from '../../../terminal/line/sharedOptions.ts';
import { addReportOption } from '../../line/reportOption.ts';

export function declareValidate(program: Command, launch: Launch): void {
  const command = addCommand(program, 'validate', ['org', 'gvc', 'env', 'embedded', 'dialect'])
    .argument(paths, pathsHelp)
    .description('check manifests against every rule that needs no platform')
    .action((given: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<GlobalOptions>(), async (context) => (await import('./run.ts')).runValidate(context, given)),
    );
  addReportOption(command, 'validate');
  completePage(command, 'validation', [
    ['gantry validate .', 'all manifests of this folder'],
    ['cat web.yaml | gantry validate - --gvc shop', 'one that names no GVC'],
  ]);
}
