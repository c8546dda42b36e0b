import { type Command, Option } from 'commander';
import { type Launch, paths, pathsHelp } from './line/launch.ts';
import { parseCount, parseWaitTimeout } from './line/optionValues.ts';
import type { AdoptOptions, DriftOptions, ExplainOptions, StatusOptions, UndoOptions } from './line/options.ts';
import { completePage } from './line/helpPage.ts';
import { addAskOptions, addPermits } from './line/permitOptions.ts';
import { addPlanTextOptions } from './line/planTextOptions.ts';
import { addCommand, platformOptions } from './line/sharedOptions.ts';

/** explain, drift, status, adopt, undo: what is live, why, and back. */
export function liveCommands(program: Command, launch: Launch): void {
  const explain = addCommand(program, 'explain', platformOptions)
    .argument('<input>', 'the file of a plan that was kept, or what plan takes')
    .argument('<resource>', 'kind/[gvc/]name')
    .argument('[field]', 'a path in it: spec.containers.main.cpu')
    .description('say why a plan changes a resource, or a field of it')
    .action((input: string, resource: string, field: string | undefined, _: unknown, command: Command) =>
      launch(command.opts<ExplainOptions>(), async (context) =>
        (await import('./commands/explain/run.ts')).runExplain(context, input, resource, field),
      ),
    );
  addPermits(explain);
  completePage(explain, [
    ['gantry explain . workload/shop/web spec.containers.main.cpu', 'where each value comes from'],
  ]);

  const drift = addCommand(program, 'drift', platformOptions)
    .argument(paths, pathsHelp)
    .description('show what others changed since this stack last wrote it')
    .option('--detailed-exitcode', 'exit with 2 if there is drift', false)
    .action((given: string[], _: unknown, command: Command) =>
      launch(command.opts<DriftOptions>(), async (context) =>
        (await import('./commands/drift/run.ts')).runDrift(context, given),
      ),
    );
  completePage(drift, [['gantry drift . --detailed-exitcode', '0 nothing, 2 drift']]);

  const status = addCommand(program, 'status', platformOptions)
    .argument(paths, pathsHelp)
    .description('show whether everything of a stack is ready, and where it answers')
    .option('--watch', 'look again until all is ready or failed', false)
    .option('--wait-timeout <duration>', 'stop watching after 30s, 5m, 1h (default: never)', parseWaitTimeout)
    .action((given: string[], _: unknown, command: Command) =>
      launch(command.opts<StatusOptions>(), async (context) =>
        (await import('./commands/status/run.ts')).runStatus(context, given),
      ),
    );
  completePage(status, [
    ['gantry status .', 'exit code: 0 all is ready, 2 not yet, 1 something failed'],
    ['gantry status --stack shop --watch', 'without manifests, until all is ready or failed'],
    ['gantry status . -o json', 'for programs'],
  ]);

  const adopt = addCommand(program, 'adopt', platformOptions)
    .argument('[ref...]', 'kind/[gvc/]name')
    .description('write manifests or code for live resources, and prove that their plan is empty')
    .option('--all', 'everything in the org that has no owner, or with --gvc in that GVC', false)
    .addOption(new Option('--format <format>', 'what to write').choices(['yaml', 'ts']).default('yaml'))
    .option('--out <path>', 'a file, or a folder for one file a resource (default: standard output)')
    .action((refs: string[], _: unknown, command: Command) =>
      launch(command.opts<AdoptOptions>(), async (context) =>
        (await import('./commands/adopt/run.ts')).runAdopt(context, refs),
      ),
    );
  addAskOptions(adopt);
  completePage(adopt, [
    ['gantry adopt workload/shop/web --out web.yaml', 'then: gantry apply . --adopt'],
    ['gantry adopt --all --format ts --out stack.ts', 'everything, as code'],
  ]);

  const undo = addCommand(
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
    .action((plan: string, _: unknown, command: Command) =>
      launch(command.opts<UndoOptions>(), async (context) =>
        (await import('./commands/undo/run.ts')).runUndo(context, plan),
      ),
    );
  addPlanTextOptions(undo);
  completePage(undo, [['gantry undo shop.plan --out back.plan', 'then: gantry apply back.plan']]);
}
