import { type Command, Option } from 'commander';
import { type Launch, paths, pathsHelp } from '../../line/launch.ts';
import { completePage } from '../../line/helpPage.ts';
import { parseRehearse } from '../../line/optionValues.ts';
import { addPermits } from '../../line/permitOptions.ts';
import { addPlanTextOptions } from '../../line/optionGroups.ts';
import { addCommand, platformOptions } from '../../line/sharedOptions.ts';
import type { PlanCommandOptions } from './options.ts';

export function declarePlan(program: Command, launch: Launch): void {
  const command = addCommand(program, 'plan', platformOptions)
    .argument(paths, pathsHelp)
    .description('show what apply would change, and change nothing')
    .option('--detailed-exitcode', 'exit with 2 if there are changes', false)
    .option('--wait', 'plan to wait until the workloads are ready, unchanged ones too', false)
    .option('--out <file>', 'keep the plan in a file, for gantry apply FILE')
    .addOption(
      new Option(
        '--rehearse [how]',
        'run it in a platform inside this process first; crash: interrupted everywhere',
      ).argParser(parseRehearse),
    )
    .option('--snapshot <file>', 'take this as the live state (GET /-snapshot), and ask no platform')
    .action((given: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<PlanCommandOptions>(), async (context) => (await import('./run.ts')).runPlan(context, given)),
    );
  addPlanTextOptions(command);
  addPermits(command);
  completePage(command, 'plan', [
    ['gantry plan examples/shop --embedded', 'for people'],
    ['gantry plan . -o json --detailed-exitcode', 'for programs: 0 nothing to do, 2 changes'],
    ['gantry plan . --out shop.plan --rehearse', 'try it here first, and keep it for approval'],
  ]);
}
