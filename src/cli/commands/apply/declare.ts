import type { Command } from 'commander';
import { completePage } from '../../../terminal/line/helpPage.ts';
import { type Launch, paths, pathsHelp } from '../../../terminal/line/launch.ts';
import {
  addAskOptions,
  addNotifyOption,
  addPlanTextOptions,
  addRunOptions,
  addTrustOptions,
} from '../../../terminal/line/optionGroups.ts';
import type { AllOption, ApplyCommandOptions } from '../../../terminal/line/options.ts';
import { parseWaitTimeout } from '../../../terminal/line/optionValues.ts';
import { addCommand, platformOptions } from '../../../terminal/line/sharedOptions.ts';
import { addPermits } from '../../line/permitOptions.ts';
import { addReportOption } from '../../line/reportOption.ts';

export function declareApply(program: Command, launch: Launch): void {
  const command = addRunOptions(addCommand(program, 'apply', platformOptions))
    .argument(paths, `${pathsHelp}; or the file of a saved plan`)
    .description('plan, ask, change the platform, and verify; a saved plan runs as it was approved')
    .option('--all', 'apply all stacks of the app, in dependency order', false)
    .option('--wait', 'wait until all workloads are ready, including unchanged ones', false)
    .option('--wait-timeout <duration>', 'how long to wait for a workload to be ready (default: 5m)', parseWaitTimeout)
    .action((given: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<ApplyCommandOptions & AllOption>(), async (context) =>
        (await import('./run.ts')).runApplyCommand(context, given),
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
