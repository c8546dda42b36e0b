import type { Command } from 'commander';
import { compact } from '../../base/json/present.ts';
import { type Launch, paths, pathsHelp } from '../../terminal/context.ts';
import { completePage } from '../../terminal/helpPage.ts';
import {
  addAskOptions,
  addNotifyOption,
  addPlanTextOptions,
  addRehearseOption,
  addRunOptions,
  addSignerOption,
  addSignOptions,
  addTrustOptions,
} from '../../terminal/optionGroups.ts';
import { addCommand, platformOptions } from '../../terminal/sharedOptions.ts';
import type { ApproveOptions } from '../commands/approve.ts';
import type { DestroyOptions } from '../commands/destroy.ts';
import type { DevOptions } from '../commands/devOptions.ts';
import type { PromoteCommandOptions } from '../commands/promote.ts';
import type { ShowOptions } from '../commands/show.ts';
import type { UndoOptions } from '../commands/undo.ts';
import { addReportOption } from '../output/reportOption.ts';
import { addDeletionPermits, addPermitOptions } from './permitOptions.ts';

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
      launch(parsed.opts<ApproveOptions>(), async (context) =>
        (await import('../commands/approve.ts')).runApprove(context, file),
      ),
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

export function declareShow(program: Command, launch: Launch): void {
  const command = addCommand(program, 'show', [])
    .argument('<plan>', 'the file of a saved plan')
    .description('print a saved plan with its signatures; needs no platform and no manifests')
    .action((file: string, _: unknown, parsed: Command) =>
      launch(parsed.opts<ShowOptions>(), async (context) =>
        (await import('../commands/show.ts')).runShow(context, file),
      ),
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

export function declareDestroy(program: Command, launch: Launch): void {
  const command = addRunOptions(addCommand(program, 'destroy', platformOptions))
    .argument('[path]', 'the project folder, or a stack of its app (default: .)')
    .description('delete everything that belongs to the stack')
    .option('--all', 'destroy all stacks of the app, in reverse dependency order', false)
    .action((given: string | undefined, _: unknown, parsed: Command) =>
      launch(parsed.opts<DestroyOptions>(), async (context) =>
        (await import('../commands/destroy.ts')).runDestroy(context, compact([given])),
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

const devShared = ['org', 'gvc', 'stack', 'env', 'embedded', 'data', 'dialect'] as const;

export function declareDev(program: Command, launch: Launch): void {
  const command = addCommand(program, 'dev', devShared)
    .argument(paths, pathsHelp)
    .description('plan again whenever a file is saved, against the platform on this machine; Ctrl-C ends it')
    .option('--apply', 'apply every plan that is not refused, too', false)
    .action((given: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<DevOptions>(), async (context) => (await import('../commands/dev.ts')).runDev(context, given)),
    );
  completePage(command, 'dev', [
    ['gantry dev shop', 'the stack of the folder shop, and every file that it imports'],
    ['gantry dev . --apply', 'each save is applied: the next plan shows what the next save changes'],
    ['gantry dev . -o json', 'for programs: one line for each round'],
  ]);
}

/** The permits of an undo. */
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
      launch(parsed.opts<UndoOptions>(), async (context) =>
        (await import('../commands/undo.ts')).runUndo(context, plan),
      ),
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

export function declarePromote(program: Command, launch: Launch): void {
  const command = addCommand(program, 'promote', [])
    .argument('<from>', 'the environment to promote from')
    .argument('<to>', 'the environment to promote to')
    .argument(paths, pathsHelp)
    .description('compare what two environments declare, and carry values from one to the other')
    .option('--write', 'carry values over, into gantry.yaml', false)
    .option('--detailed-exitcode', 'exit with 2 if something differs that must not', false)
    .action((from: string, to: string, given: string[]) =>
      launch(command.opts<PromoteCommandOptions>(), async (context) =>
        (await import('../commands/promote.ts')).runPromote(context, { from, to }, given),
      ),
    );
  completePage(command, 'promotion', [
    ['gantry promote dev prod', 'what differs'],
    ['gantry promote dev prod --write', 'then: git diff gantry.yaml'],
  ]);
}
