import { type Command, Option } from 'commander';
import { completePage } from '../../../terminal/line/helpPage.ts';
import { type Launch, paths, pathsHelp } from '../../../terminal/line/launch.ts';
import { addCommand } from '../../../terminal/line/sharedOptions.ts';
import type { SynthOptions } from './options.ts';

export function declareSynth(program: Command, launch: Launch): void {
  const command = addCommand(program, 'synth', ['org', 'gvc', 'env', 'embedded', 'dialect'])
    .argument(paths, pathsHelp)
    .description('print the manifests that the input declares')
    .option('--reveal', 'print secret values instead of masks', false)
    .addOption(
      new Option('--as <form>', 'what to print; terraform: the content of a .tf.json file for its provider')
        .choices(['manifests', 'terraform'])
        .default('manifests'),
    )
    .addOption(
      new Option('--words <whose>', 'whose words the manifests are in')
        .choices(['neutral', 'platform'])
        .default('neutral'),
    )
    .action((given: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<SynthOptions>(), async (context) => (await import('./run.ts')).runSynth(context, given)),
    );
  completePage(command, 'manifests', [
    ['gantry synth examples/shop > shop.yaml', 'a TypeScript stack as YAML'],
    ['gantry synth examples/shop -o json', 'as JSON'],
    ['gantry synth examples/shop --reveal | gantry plan -', 'with secret values, as input for plan'],
    ['gantry synth examples/shop --as terraform > cdk.tf.json', 'for terraform plan'],
  ]);
}
