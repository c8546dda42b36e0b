import { type Command, Option } from 'commander';
import type { Launch } from '../../terminal/context.ts';
import { completePage } from '../../terminal/helpPage.ts';
import {
  addAskOptions,
  addNotifyOption,
  addPlanTextOptions,
  addSignOptions,
  parseParallelism,
  parseWaitTimeout,
} from '../../terminal/optionGroups.ts';
import { addShared, type SharedName } from '../../terminal/sharedOptions.ts';
import type {
  BoardOptions,
  PauseOptions,
  ReconcileApproveOptions,
  WorkerOptions,
} from '../commands/reconcile/options.ts';

const document = 'reconcile-status';
const hourMs = 3_600_000;
const ofPlatform: readonly SharedName[] = [
  'org',
  'endpoint',
  'token',
  'token-file',
  'profile',
  'insecure',
  'embedded',
  'data',
  'dialect',
  'output',
];

/** `gantry reconcile`: keeps stacks in line with their code; also the commands for a running reconciler. */
export function declareReconcile(program: Command, launch: Launch): void {
  const reconcile = program
    .command('reconcile')
    .helpCommand(false)
    .description('keep stacks as their code says; without a command: gantry reconcile run');
  declareRun(reconcile, launch);
  declareOnce(reconcile, launch);
  declareStatus(reconcile, launch);
  declareNow(reconcile, launch);
  declareApprove(reconcile, launch);
  declarePause(reconcile, launch);
  declareResume(reconcile, launch);
  completePage(reconcile, undefined, [
    ['gantry reconcile', 'the stacks of reconcile.yaml, until Ctrl-C'],
    ['gantry reconcile status', 'which are in line, drifted, waiting, failing, paused'],
    ['gantry reconcile approve shop', 'read the plan that waits, and let it run'],
  ]);
}

function addStore(command: Command): Command {
  return command.option(
    '--store <url>',
    'postgres://user:password@host/database for any number of workers (default: GANTRY_RECONCILE_STORE, else a folder below --data)',
  );
}

function addWorker(command: Command): Command {
  addShared(command, ofPlatform);
  addStore(command)
    .option('--config <file>', 'the file that lists the stacks', 'reconcile.yaml')
    .option(
      '--take-over',
      'use a store that is of another list of stacks: stacks that are not in this one are forgotten',
    )
    .option('--parallelism <count>', 'stacks at the same time', parseParallelism, 8)
    .addOption(
      new Option('--run-timeout <duration>', 'how long one run of a stack may take')
        .argParser(parseWaitTimeout)
        .default(hourMs, '1h'),
    );
  addSignOptions(command, 'the private key (Ed25519) that signs plans that wait');
  addNotifyOption(command, 'post what becomes of stacks to this URL');
  return command;
}

function declareRun(reconcile: Command, launch: Launch): void {
  const command = addWorker(reconcile.command('run', { isDefault: true }))
    .description('run a worker: plan and apply the stacks when they are due, until SIGTERM or Ctrl-C')
    .option(
      '--http [address]',
      'serve the page and take webhooks (default address: 127.0.0.1:4481): HOST:PORT, PORT or HOST',
    )
    .option('--tokens <file>', 'who may read and approve on the page: docs/reconcile-page.md')
    .option('--name <name>', 'the name of this worker in runs and leases (default: host name and process)')
    .action((_: unknown, parsed: Command) =>
      launch(parsed.opts<WorkerOptions>(), async (context) =>
        (await import('../commands/reconcile/work.ts')).runWorker(context),
      ),
    );
  completePage(command, 'reconcile-worker', [
    ['gantry reconcile', 'the stacks of reconcile.yaml; the store is in .gantry/reconcile'],
    ['GANTRY_RECONCILE_STORE=postgres://db/gantry gantry reconcile', 'one of several equal workers'],
  ]);
}

function declareOnce(reconcile: Command, launch: Launch): void {
  const command = addWorker(reconcile.command('once'))
    .argument('[stack...]', 'names of stacks (default: all)')
    .description('do what is due now for each stack, once, and end: for cron and tests')
    .action((stacks: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<WorkerOptions>(), async (context) =>
        (await import('../commands/reconcile/work.ts')).runOnce(context, stacks),
      ),
    );
  completePage(command, document, [
    ['gantry reconcile once', 'all stacks of reconcile.yaml; exit code 1 where one fails'],
    ['gantry reconcile once shop -o json', 'one of them, for programs'],
  ]);
}

function declareStatus(reconcile: Command, launch: Launch): void {
  const command = addStore(addShared(reconcile.command('status'), ['data', 'output']))
    .argument('[stack...]', 'names of stacks (default: all)')
    .description('show the state of the stacks, as each was last seen')
    .action((stacks: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<BoardOptions>(), async (context) =>
        (await import('../commands/reconcile/board.ts')).showStatus(context, stacks),
      ),
    );
  completePage(command, document, [
    ['gantry reconcile status', 'each stack in a line'],
    ['gantry reconcile status shop -o json', 'one of them, for programs'],
  ]);
}

function declareNow(reconcile: Command, launch: Launch): void {
  const command = addStore(addShared(reconcile.command('now'), ['data', 'output']))
    .argument('<stack...>', 'names of stacks')
    .description('let a stack run as soon as a worker is free, whatever its interval')
    .action((stacks: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<BoardOptions>(), async (context) =>
        (await import('../commands/reconcile/board.ts')).askNow(context, stacks),
      ),
    );
  completePage(command, document, [['gantry reconcile now shop', 'at once']]);
}

function declareApprove(reconcile: Command, launch: Launch): void {
  const command = addStore(addShared(reconcile.command('approve'), ['endpoint', 'embedded', 'data', 'output']))
    .argument('<stack>', 'the name of a stack whose plan waits')
    .description('show the plan that waits, ask, and approve it')
    .option('--plan <name>', 'approve only if this is the plan that waits')
    .option('--by <name>', 'who approves, where no key does (default: the user and the host)')
    .action((stack: string, _: unknown, parsed: Command) =>
      launch(parsed.opts<ReconcileApproveOptions>(), async (context) =>
        (await import('../commands/reconcile/approve.ts')).runApprove(context, stack),
      ),
    );
  addSignOptions(command, 'the private key (Ed25519) to approve with, where limits or signers ask for one');
  addPlanTextOptions(command);
  addAskOptions(command);
  completePage(command, document, [
    ['gantry reconcile approve shop', 'read it, confirm'],
    ['gantry reconcile approve shop --sign ~/.ssh/id_ed25519', 'where gantry.yaml asks for approvals'],
  ]);
}

function declarePause(reconcile: Command, launch: Launch): void {
  const command = addStore(addShared(reconcile.command('pause'), ['data', 'output']))
    .argument('<stack>', 'the name of a stack')
    .description('leave a stack alone')
    .option('--reason <text>', 'why; everybody sees it (required)')
    .option('--for <duration>', 'how long (default: until it is resumed)', parseWaitTimeout)
    .action((stack: string, _: unknown, parsed: Command) =>
      launch(parsed.opts<PauseOptions>(), async (context) =>
        (await import('../commands/reconcile/board.ts')).pauseStack(context, stack),
      ),
    );
  completePage(command, document, [['gantry reconcile pause shop --reason "a migration" --for 2h', 'for two hours']]);
}

function declareResume(reconcile: Command, launch: Launch): void {
  const command = addStore(addShared(reconcile.command('resume'), ['data', 'output']))
    .argument('<stack>', 'the name of a stack')
    .description('end the pause of a stack, which runs at once')
    .action((stack: string, _: unknown, parsed: Command) =>
      launch(parsed.opts<BoardOptions>(), async (context) =>
        (await import('../commands/reconcile/board.ts')).resumeStack(context, stack),
      ),
    );
  completePage(command, document, [['gantry reconcile resume shop', 'go on']]);
}
