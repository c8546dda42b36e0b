import type { Command } from 'commander';
import { completePage } from '../../../terminal/line/helpPage.ts';
import type { Launch } from '../../../terminal/line/launch.ts';
import { addPlanTextOptions, addTrustOptions } from '../../../terminal/line/optionGroups.ts';
import { addCommand } from '../../../terminal/line/sharedOptions.ts';
import { addReportOption } from '../../line/reportOption.ts';
import type { ShowOptions } from './run.ts';

export function declareShow(program: Command, launch: Launch): void {
  const command = addCommand(program, 'show', [])
    .argument('<plan>', 'the file of a saved plan')
    .description('print a saved plan with its signatures; needs no platform and no manifests')
    .action((file: string, _: unknown, parsed: Command) =>
      launch(parsed.opts<ShowOptions>(), async (context) => (await import('./run.ts')).runShow(context, file)),
    );
  addTrustOptions(command);
  addPlanTextOptions(command);
  addReportOption(command, 'show');
  command.option('--open', 'also open its report in the browser, served on loopback until Ctrl-C');
  completePage(command, 'plan', [
    ['gantry show shop.plan --patch', 'with the body of every PATCH request'],
    ['gantry show shop.plan -o json', 'as plan -o json printed it'],
    ['gantry show shop.plan --open', 'as a page in the browser'],
  ]);
}
