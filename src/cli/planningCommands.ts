import { type Command, Option } from 'commander';
import { type Launch, paths, pathsHelp } from './line/launch.ts';
import { parseParallelism, parseRehearse, parseWaitTimeout } from './line/optionValues.ts';
import type { ApplyCommandOptions, DestroyOptions, PlanCommandOptions, ShowOptions } from './line/options.ts';
import { completePage } from './line/helpPage.ts';
import { addAskOptions, addDeletionPermits, addPermits } from './line/permitOptions.ts';
import { addPlanTextOptions } from './line/planTextOptions.ts';
import { addCommand, platformOptions } from './line/sharedOptions.ts';

/** plan, show, apply, destroy. */
export function planningCommands(program: Command, launch: Launch): void {
  const plan = addCommand(program, 'plan', platformOptions)
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
    .action((given: string[], _: unknown, command: Command) =>
      launch(command.opts<PlanCommandOptions>(), async (context) =>
        (await import('./commands/plan/run.ts')).runPlan(context, given),
      ),
    );
  addPlanTextOptions(plan);
  addPermits(plan);
  completePage(plan, [
    ['gantry plan examples/shop --embedded', 'for people'],
    ['gantry plan . -o json --detailed-exitcode', 'for programs: 0 nothing to do, 2 changes'],
    ['gantry plan . --out shop.plan --rehearse', 'try it here first, and keep it for approval'],
  ]);

  const show = addCommand(program, 'show', [])
    .argument('<plan>', 'the file of a plan that was kept')
    .description('print a plan that was kept; needs no platform and no manifests')
    .action((file: string, _: unknown, command: Command) =>
      launch(command.opts<ShowOptions>(), async (context) =>
        (await import('./commands/show/run.ts')).runShow(context, file),
      ),
    );
  addPlanTextOptions(show);
  completePage(show, [
    ['gantry show shop.plan --patch', 'with every PATCH request'],
    ['gantry show shop.plan -o json', 'as plan -o json printed it'],
  ]);

  const apply = addCommand(program, 'apply', platformOptions)
    .argument(paths, `${pathsHelp}; or the file of a plan that was kept`)
    .description('plan, ask, change the platform, and verify; a kept plan runs as it was approved')
    .addOption(verifyOption())
    .option('--parallelism <n>', parallelismHelp, parseParallelism)
    .option('--wait', 'wait until the workloads are ready, unchanged ones too', false)
    .option('--wait-timeout <duration>', 'how long a workload may take to be ready (default: 5m)', parseWaitTimeout)
    .action((given: string[], _: unknown, command: Command) =>
      launch(command.opts<ApplyCommandOptions>(), async (context) =>
        (await import('./commands/apply/run.ts')).runApplyCommand(context, given),
      ),
    );
  addPlanTextOptions(apply);
  addAskOptions(apply);
  addPermits(apply);
  completePage(apply, [
    ['gantry apply examples/shop --embedded', 'show the plan, ask, apply'],
    ['gantry apply . --yes --wait --wait-timeout 10m', 'do not ask; wait until all workloads are ready'],
    ['gantry apply shop.plan --yes', 'exactly the plan that was approved'],
  ]);

  const destroy = addCommand(program, 'destroy', platformOptions)
    .argument('[path]', 'the project folder (default: .); no manifests are read')
    .description('delete everything that belongs to the stack')
    .addOption(verifyOption())
    .option('--parallelism <n>', parallelismHelp, parseParallelism)
    .action((given: string | undefined, _: unknown, command: Command) =>
      launch(command.opts<DestroyOptions>(), async (context) =>
        (await import('./commands/destroy/run.ts')).runDestroy(context, given === undefined ? [] : [given]),
      ),
    );
  addPlanTextOptions(destroy);
  addAskOptions(destroy);
  addDeletionPermits(destroy, undefined);
  completePage(destroy, [
    ['gantry destroy --stack shop', 'shows what goes, and asks'],
    ['gantry destroy examples/shop --embedded --yes --allow-data-loss=2', 'with its two volume sets'],
  ]);
}

const parallelismHelp = 'work on at most n changes at a time, 1 to 256 (default: up to 64, as the platform bears it)';

function verifyOption(): Option {
  return new Option('--verify <how>', 'afterwards compare what was written, or plan everything again')
    .choices(['written', 'full'])
    .default('written');
}
