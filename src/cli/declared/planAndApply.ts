import type { Command } from 'commander';
import { type Launch, paths, pathsHelp } from '../../terminal/context.ts';
import { completePage } from '../../terminal/helpPage.ts';
import {
  addAskOptions,
  addNotifyOption,
  addPlanTextOptions,
  addRehearseOption,
  addRunOptions,
  addSignOptions,
  addTrustOptions,
  parseWaitTimeout,
} from '../../terminal/optionGroups.ts';
import type { AllOption, ApplyCommandOptions } from '../../terminal/options.ts';
import { addCommand, platformOptions } from '../../terminal/sharedOptions.ts';
import type { PlanCommandOptions } from '../commands/plan.ts';
import { addReportOption } from '../output/reportOption.ts';
import { addPermits } from './permitOptions.ts';

export function declarePlan(program: Command, launch: Launch): void {
  const command = addCommand(program, 'plan', platformOptions)
    .argument(paths, pathsHelp)
    .description('show what apply would change, and change nothing')
    .option('--all', 'plan all stacks of the app, in dependency order', false)
    .option('--detailed-exitcode', 'exit with 2 if there are changes', false)
    .option('--wait', 'let apply wait until all workloads are ready, including unchanged ones', false)
    .option('--out <file>', 'save the plan to a file, for gantry apply FILE')
    .option('--snapshot <file>', 'use this file as the live state (from GET /-snapshot); no platform is asked')
    .action((given: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<PlanCommandOptions>(), async (context) =>
        (await import('../commands/plan.ts')).runPlan(context, given),
      ),
    );
  addRehearseOption(command);
  addNotifyOption(command);
  addSignOptions(command, 'sign the saved plan with this private key (Ed25519)');
  addPlanTextOptions(command);
  addReportOption(command, 'plan');
  addPermits(command);
  completePage(command, 'plan', [
    ['gantry plan examples/shop --embedded', 'for people'],
    ['gantry plan . -o json --detailed-exitcode', 'for programs; exit code: 0 no changes, 2 changes'],
    ['gantry plan . --out shop.plan --rehearse', 'rehearse it, and save it for approval'],
    ['gantry plan shop/network', 'one stack of the app in shop; --all: every stack, in dependency order'],
  ]);
}

export function declareApply(program: Command, launch: Launch): void {
  const command = addRunOptions(addCommand(program, 'apply', platformOptions))
    .argument(paths, `${pathsHelp}; or the file of a saved plan`)
    .description('plan, ask, change the platform, and verify; a saved plan runs as it was approved')
    .option('--all', 'apply all stacks of the app, in dependency order', false)
    .option('--wait', 'wait until all workloads are ready, including unchanged ones', false)
    .option('--wait-timeout <duration>', 'how long to wait for a workload to be ready (default: 5m)', parseWaitTimeout)
    .action((given: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<ApplyCommandOptions & AllOption>(), async (context) =>
        (await import('../commands/apply.ts')).runApplyCommand(context, given),
      ),
    );
  addNotifyOption(command);
  addTrustOptions(command);
  addPlanTextOptions(command);
  addReportOption(command, 'apply');
  addAskOptions(command);
  addPermits(command);
  completePage(command, 'plan', [
    ['gantry apply examples/shop --embedded', 'show the plan, ask, apply'],
    ['gantry apply . --yes --wait --wait-timeout 10m', 'do not ask; wait until all workloads are ready'],
    ['gantry apply shop.plan --yes', 'exactly the plan that was approved'],
  ]);
}
