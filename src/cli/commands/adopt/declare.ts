import { type Command, Option } from 'commander';
import { completePage } from '../../../terminal/line/helpPage.ts';
import type { Launch } from '../../../terminal/line/launch.ts';
import { addAskOptions } from '../../../terminal/line/optionGroups.ts';
import { addCommand, platformOptions } from '../../../terminal/line/sharedOptions.ts';
import type { AdoptOptions } from './run.ts';

export function declareAdopt(program: Command, launch: Launch): void {
  const command = addCommand(program, 'adopt', platformOptions)
    .argument('[ref...]', 'kind/[gvc/]name')
    .description('write manifests or code for live resources, and prove that their plan is empty')
    .option('--all', 'every resource in the org (with --gvc: in that GVC) that no stack owns', false)
    .addOption(new Option('--format <format>', 'what to write').choices(['yaml', 'ts']).default('yaml'))
    .option('--out <path>', 'a file, or a folder for one file per resource (default: standard output)')
    .action((refs: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<AdoptOptions>(), async (context) => (await import('./run.ts')).runAdopt(context, refs)),
    );
  addAskOptions(command);
  completePage(command, 'adoption', [
    ['gantry adopt workload/shop/web --out web.yaml', 'then: gantry apply . --adopt'],
    ['gantry adopt --all --format ts --out stack.ts', 'everything, as code'],
  ]);
}
