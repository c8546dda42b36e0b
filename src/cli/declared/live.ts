import { type Command, Option } from 'commander';
import { type Launch, paths, pathsHelp } from '../../terminal/context.ts';
import { completePage } from '../../terminal/helpPage.ts';
import { addAskOptions, addNotifyOption, parseWaitTimeout } from '../../terminal/optionGroups.ts';
import { addCommand, platformOptions } from '../../terminal/sharedOptions.ts';
import type { AdoptOptions } from '../commands/adopt.ts';
import type { DoctorOptions } from '../commands/doctor.ts';
import type { DriftOptions } from '../commands/drift.ts';
import type { ExplainOptions } from '../commands/explain.ts';
import type { OutputCommandOptions } from '../commands/output.ts';
import type { StatusOptions } from '../commands/status.ts';
import { addReportOption } from '../output/reportOption.ts';
import { addPermits } from './permitOptions.ts';

export const doctorShared = [
  'org',
  'endpoint',
  'token',
  'token-file',
  'profile',
  'insecure',
  'env',
  'embedded',
  'data',
  'dialect',
] as const;

export function declareDoctor(program: Command, launch: Launch): void {
  const command = addCommand(program, 'doctor', doctorShared)
    .argument(paths, 'the folder with the settings (default: .)')
    .description('check whether a platform does what Gantry assumes; writes nothing without --write')
    .option('--write', 'also ask what writes do, in a GVC that is made for it and deleted again', false)
    .option('--out <file>', 'write what was found to this file, for later runs (gantry.platform.json)')
    .action((given: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<DoctorOptions>(), async (context) =>
        (await import('../commands/doctor.ts')).runDoctor(context, given),
      ),
    );
  addAskOptions(command);
  completePage(command, 'doctor', [
    ['gantry doctor', 'read-only; exit code: 0 usable, 3 something needed is missing'],
    ['gantry doctor --write --yes --out gantry.platform.json', 'everything, kept for later runs'],
  ]);
}

export function declareExplain(program: Command, launch: Launch): void {
  const command = addCommand(program, 'explain', platformOptions)
    .argument('<input>', 'the file of a saved plan, or a PATH as for gantry plan')
    .argument('<resource>', 'kind/[gvc/]name')
    .argument('[field]', 'a path in it: spec.containers.main.cpu')
    .description('explain why a plan changes a resource, or one of its fields')
    .action((input: string, resource: string, field: string | undefined) =>
      launch(command.opts<ExplainOptions>(), async (context) =>
        (await import('../commands/explain.ts')).runExplain(context, input, resource, field),
      ),
    );
  addReportOption(command, 'explain');
  addPermits(command);
  completePage(command, 'explanation', [
    ['gantry explain . workload/shop/web spec.containers.main.cpu', 'where each value comes from'],
  ]);
}

export function declareDrift(program: Command, launch: Launch): void {
  const command = addCommand(program, 'drift', platformOptions)
    .argument(paths, pathsHelp)
    .description('show what others changed since this stack last wrote it')
    .option('--all', 'show the drift of all stacks of the app', false)
    .option('--detailed-exitcode', 'exit with 2 if there is drift', false)
    .action((given: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<DriftOptions>(), async (context) =>
        (await import('../commands/drift.ts')).runDrift(context, given),
      ),
    );
  addReportOption(command, 'drift');
  addNotifyOption(command);
  completePage(command, 'drift', [
    ['gantry drift . --detailed-exitcode', 'exit code: 0 no drift, 2 drift'],
    ['gantry drift shop --all', 'of all stacks of an app'],
  ]);
}

export function declareStatus(program: Command, launch: Launch): void {
  const command = addCommand(program, 'status', platformOptions)
    .argument(paths, pathsHelp)
    .description('show whether a stack is ready, and its addresses')
    .option('--all', 'show the status of all stacks of the app', false)
    .option('--watch', 'repeat until everything is ready or failed', false)
    .option('--wait-timeout <duration>', 'stop watching after 30s, 5m, 1h (default: never)', parseWaitTimeout)
    .action((given: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<StatusOptions>(), async (context) =>
        (await import('../commands/status.ts')).runStatus(context, given),
      ),
    );
  completePage(command, 'status', [
    ['gantry status .', 'exit code: 0 ready, 2 not ready yet, 1 failed'],
    ['gantry status --stack shop --watch', 'without manifests, until everything is ready or failed'],
    ['gantry status . -o json', 'for programs'],
  ]);
}

export function declareOutput(program: Command, launch: Launch): void {
  const command = addCommand(program, 'output', platformOptions)
    .argument('[name]', 'the name of one output, whose value alone is printed')
    .argument(paths, pathsHelp)
    .description('print the outputs of a stack, as they are now')
    .option('--all', 'print those of all stacks of the app', false)
    .option('--reveal', 'print sensitive values instead of masks', false)
    .action((name: string | undefined, given: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<OutputCommandOptions>(), async (context) =>
        (await import('../commands/output.ts')).runOutput(context, name, given),
      ),
    );
  completePage(command, 'outputs', [
    ['gantry output', 'all outputs of the stack in this folder'],
    ['curl "$(gantry output url)"', 'one value, for a script'],
    ['gantry output url shop/network', 'of the stack network of the app in the folder shop'],
    ['gantry output . -o json', 'for programs'],
  ]);
}

export function declareAdopt(program: Command, launch: Launch): void {
  const command = addCommand(program, 'adopt', platformOptions)
    .argument('[ref...]', 'kind/[gvc/]name')
    .description('write manifests or code for live resources, and prove that their plan is empty')
    .option('--all', 'every resource in the org (with --gvc: in that GVC) that no stack owns', false)
    .addOption(new Option('--format <format>', 'what to write').choices(['yaml', 'ts']).default('yaml'))
    .option('--out <path>', 'a file, or a folder for one file per resource (default: standard output)')
    .action((refs: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<AdoptOptions>(), async (context) =>
        (await import('../commands/adopt.ts')).runAdopt(context, refs),
      ),
    );
  addAskOptions(command);
  completePage(command, 'adoption', [
    ['gantry adopt workload/shop/web --out web.yaml', 'then: gantry apply . --adopt'],
    ['gantry adopt --all --format ts --out stack.ts', 'everything, as code'],
  ]);
}
