import type { Command } from 'commander';
import { completePage } from '../../../terminal/line/helpPage.ts';
import type { Launch } from '../../../terminal/line/launch.ts';
import {
  addAskOptions,
  addPlanTextOptions,
  addSignerOption,
  addSignOptions,
} from '../../../terminal/line/optionGroups.ts';
import { addCommand, platformOptions } from '../../../terminal/line/sharedOptions.ts';
import type { ApproveOptions } from './run.ts';

const unused: readonly string[] = ['gvc', 'token', 'token-file', 'insecure', 'data', 'dialect'];

export function declareApprove(program: Command, launch: Launch): void {
  const command = addCommand(
    program,
    'approve',
    platformOptions.filter((name) => !unused.includes(name)),
  )
    .argument('<plan>', 'the file of a saved plan')
    .description('show a saved plan, ask, and sign it as approved; needs no platform')
    .action((file: string, _: unknown, parsed: Command) =>
      launch(parsed.opts<ApproveOptions>(), async (context) => (await import('./run.ts')).runApprove(context, file)),
    );
  addSignOptions(command, 'the private key to approve with (Ed25519); not the one of the plan (required)');
  addSignerOption(command);
  addPlanTextOptions(command);
  addAskOptions(command);
  completePage(command, 'approval', [
    ['gantry approve shop.plan --sign ~/.ssh/id_ed25519', 'read it, confirm, sign'],
    ['gantry approve shop.plan --sign KEY --signed-by planners.pub', 'only a plan that the pipeline has signed'],
  ]);
}
