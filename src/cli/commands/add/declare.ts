import { type Command, Option } from 'commander';
import { creatableKinds } from '../../../schema/record/kinds.ts';
import { completePage } from '../../../terminal/line/helpPage.ts';
import type { Launch } from '../../../terminal/line/launch.ts';
import { addCommand } from '../../../terminal/line/sharedOptions.ts';
import type { AddOptions } from './run.ts';

export function declareAdd(program: Command, launch: Launch): void {
  const command = addCommand(program, 'add', ['gvc'])
    .argument('<kind>', `one of ${creatableKinds.join(', ')}`)
    .argument('[name]', 'name of the resource (default: a usual one)')
    .description('write a new file with a resource of a kind, as TypeScript or as a manifest')
    .option('--dir <dir>', 'folder of the project (default: the current folder)')
    .addOption(
      new Option('--format <format>', 'what to write (default: what the project is written in)').choices([
        'ts',
        'yaml',
      ]),
    )
    .action((kind: string, name: string | undefined, _: unknown, parsed: Command) =>
      launch(parsed.opts<AddOptions>(), async (context) => (await import('./run.ts')).runAdd(context, kind, name)),
    );
  completePage(command, 'snippet', [
    ['gantry add workload api', 'writes workload-api.ts, or workload-api.yaml'],
    ['gantry add volumeset --format yaml', 'as a manifest'],
  ]);
}
