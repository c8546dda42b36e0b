import type { Command } from 'commander';
import { completePage } from '../../../terminal/line/helpPage.ts';
import type { Launch } from '../../../terminal/line/launch.ts';
import {
  addNotifyOption,
  addPlanTextOptions,
  addRehearseOption,
  addSignOptions,
} from '../../../terminal/line/optionGroups.ts';
import { addCommand, platformOptions } from '../../../terminal/line/sharedOptions.ts';
import { addPermitOptions } from '../../line/permitOptions.ts';
import { addReportOption } from '../../line/reportOption.ts';
import type { UndoOptions } from './run.ts';

/** The permits of taking back. */
const undoPermits = ['allowCollateral', 'allowDangling', 'allowDataLoss', 'allowUnseen'] as const;

export function declareUndo(program: Command, launch: Launch): void {
  const command = addCommand(
    program,
    'undo',
    platformOptions.filter((name) => name !== 'gvc' && name !== 'env'),
  )
    .argument('<plan>', 'the file of a saved plan that was applied')
    .description('make a plan that undoes an applied plan')
    .option('--out <file>', 'save it to a file, for gantry apply FILE')
    .action((plan: string, _: unknown, parsed: Command) =>
      launch(parsed.opts<UndoOptions>(), async (context) => (await import('./run.ts')).runUndo(context, plan)),
    );
  addRehearseOption(command);
  addNotifyOption(command);
  addSignOptions(command, 'sign the saved plan with this private key (Ed25519)');
  addPlanTextOptions(command);
  addReportOption(command, 'undo');
  addPermitOptions(command, undoPermits);
  completePage(command, 'plan', [
    ['gantry undo shop.plan --out back.plan', 'then: gantry apply back.plan'],
    ['gantry undo shop.plan --out back.plan --rehearse', 'rehearse it, and save it for approval'],
  ]);
}
