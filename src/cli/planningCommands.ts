import { type Command, Option } from 'commander';
import { examples, type Launch, paths, pathsHelp } from './commandLine.ts';
import { addPermitOptions, addPlanTextOptions } from './globalOptions.ts';
import { parseRehearse, parseWaitTimeout } from './optionValues.ts';
import type { ApplyCommandOptions, PlanCommandOptions } from './options.ts';

/** plan, apply, destroy. */
export function planningCommands(program: Command, launch: Launch): void {
  const plan = program
    .command('plan')
    .argument(paths, pathsHelp)
    .description('show what apply would change, and change nothing')
    .option('--detailed-exitcode', 'exit with 2 if there are changes', false)
    .option('--out <file>', 'keep the plan in a file, for gantry apply FILE')
    .addOption(
      new Option(
        '--rehearse [how]',
        'run it in a platform inside this process first; crash: interrupted everywhere',
      ).argParser(parseRehearse),
    )
    .option('--snapshot <file>', 'take this as the live state (GET /-snapshot), and ask no platform')
    .action((given: string[], _: unknown, command: Command) =>
      launch(command.optsWithGlobals<PlanCommandOptions>(), async (context) =>
        (await import('./commands/plan.ts')).runPlan(context, given),
      ),
    );
  addPlanTextOptions(plan);
  addPermitOptions(plan, 10);
  examples(plan, [
    ['gantry plan examples/shop --embedded', 'for people'],
    ['gantry plan . -o json --detailed-exitcode', 'for programs: 0 nothing to do, 2 changes, 1 error'],
    ['gantry plan . --out shop.plan --rehearse', 'try it here first, and keep it for approval'],
  ]);

  const apply = program
    .command('apply')
    .argument(paths, `${pathsHelp}; or the file of a plan that was kept`)
    .description('plan, ask, change the platform, and verify; a kept plan runs as it was approved')
    .addOption(verifyOption())
    .option('--wait-timeout <duration>', 'how long a workload may take to be ready (default: 5m)', parseWaitTimeout)
    .action((given: string[], _: unknown, command: Command) =>
      launch(command.optsWithGlobals<ApplyCommandOptions>(), async (context) =>
        (await import('./commands/apply.ts')).runApplyCommand(context, given),
      ),
    );
  addPlanTextOptions(apply);
  addPermitOptions(apply, 10);
  examples(apply, [
    ['gantry apply examples/shop --embedded', 'show the plan, ask, apply'],
    ['gantry apply . --yes --wait --wait-timeout 10m', 'do not ask; wait until all workloads are ready'],
    ['gantry apply shop.plan --yes', 'exactly the plan that was approved'],
  ]);

  const destroy = program
    .command('destroy')
    .argument('[path]', 'the project folder (default: .); no manifests are read')
    .description('delete everything that belongs to the stack')
    .addOption(verifyOption())
    .action((given: string | undefined, _: unknown, command: Command) =>
      launch(command.optsWithGlobals<ApplyCommandOptions>(), async (context) =>
        (await import('./commands/destroy.ts')).runDestroy(context, given === undefined ? [] : [given]),
      ),
    );
  addPlanTextOptions(destroy);
  addPermitOptions(destroy, undefined);
  examples(destroy, [
    ['gantry destroy --stack shop', 'shows what goes, and asks'],
    ['gantry destroy examples/shop --embedded --yes --allow-data-loss=2', 'with its two volume sets'],
  ]);
}

function verifyOption(): Option {
  return new Option('--verify <how>', 'afterwards compare what was written, or plan everything again')
    .choices(['written', 'full'])
    .default('written');
}
