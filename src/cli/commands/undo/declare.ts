import type { Command } from 'commander';
import type { Launch } from '../../line/launch.ts';
import { completePage } from '../../line/helpPage.ts';
import { parseCount } from '../../line/optionValues.ts';
import { addPlanTextOptions } from '../../line/optionGroups.ts';
import { addCommand, platformOptions } from '../../line/sharedOptions.ts';
import type { UndoOptions } from './run.ts';

export function declareUndo(program: Command, launch: Launch): void {
  const command = addCommand(
    program,
    'undo',
    platformOptions.filter((name) => name !== 'gvc'),
  )
    .argument('<plan>', 'the file of a plan that was kept and applied')
    .description('make the plan that takes an applied plan back')
    .option('--out <file>', 'keep it in a file, for gantry apply FILE')
    .option('--allow-collateral <n>', 'let exactly n resources of others go along', parseCount, 0)
    .option('--allow-data-loss <n>', 'let exactly n volume sets with data go', parseCount, 0)
    .option('--allow-unseen', 'delete and change GVCs although this token cannot see all that is in them', false)
    .action((plan: string, _: unknown, parsed: Command) =>
      launch(parsed.opts<UndoOptions>(), async (context) => (await import('./run.ts')).runUndo(context, plan)),
    );
  addPlanTextOptions(command);
  completePage(command, [['gantry undo shop.plan --out back.plan', 'then: gantry apply back.plan']]);
}
