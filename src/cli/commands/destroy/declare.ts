import type { Command } from 'commander';
import { completePage } from '../../../terminal/line/helpPage.ts';
import type { Launch } from '../../../terminal/line/launch.ts';
import {
  addAskOptions,
  addNotifyOption,
  addPlanTextOptions,
  addRunOptions,
} from '../../../terminal/line/optionGroups.ts';
import { addCommand, platformOptions } from '../../../terminal/line/sharedOptions.ts';
import { addDeletionPermits } from '../../line/permitOptions.ts';
import { addReportOption } from '../../line/reportOption.ts';
import type { DestroyOptions } from './run.ts';

export function declareDestroy(program: Command, launch: Launch): void {
  const command = addRunOptions(addCommand(program, 'destroy', platformOptions))
    .argument('[path]', 'the project folder, or a stack of its app (default: .)')
    .description('delete everything that belongs to the stack')
    .option('--all', 'destroy all stacks of the app, in reverse dependency order', false)
    .action((given: string | undefined, _: unknown, parsed: Command) =>
      launch(parsed.opts<DestroyOptions>(), async (context) =>
        (await import('./run.ts')).runDestroy(context, given === undefined ? [] : [given]),
      ),
    );
  addNotifyOption(command);
  addPlanTextOptions(command);
  addReportOption(command, 'destroy');
  addAskOptions(command);
  addDeletionPermits(command);
  completePage(command, 'plan', [
    ['gantry destroy --stack shop', 'shows what will be deleted, and asks'],
    ['gantry destroy examples/shop --embedded --yes --allow-data-loss=2', 'including its two volume sets'],
  ]);
}
