import type { Command } from 'commander';
import { completePage } from '../../../terminal/line/helpPage.ts';
import type { Launch } from '../../../terminal/line/launch.ts';
import { collect } from '../../../terminal/line/optionValues.ts';
import { addCommand } from '../../../terminal/line/sharedOptions.ts';
import type { ConvertOptions } from './run.ts';

export function declareConvert(program: Command, launch: Launch): void {
  const command = addCommand(program, 'convert', ['gvc'])
    .argument('<file...>', 'files with manifests of Kubernetes, or a Compose file; - is standard input')
    .description('print manifests for what runs on Kubernetes or with Compose, and list what has no counterpart')
    .option('--location <name>', 'a location of the GVC, which is then printed too (repeatable)', collect, [])
    .action((files: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<ConvertOptions>(), async (context) => (await import('./run.ts')).runConvert(context, files)),
    );
  completePage(command, 'conversion', [
    ['gantry convert compose.yaml --gvc shop > stack.yaml', 'services of a Compose file'],
    ['kubectl get deploy,svc,ing,cm -o yaml | gantry convert - --gvc shop', 'what runs in a cluster'],
  ]);
}
