import { type Command, Option } from 'commander';
import { completePage } from '../../../terminal/line/helpPage.ts';
import { type Launch, paths, pathsHelp } from '../../../terminal/line/launch.ts';
import { addCommand } from '../../../terminal/line/sharedOptions.ts';
import type { GraphOptions } from './run.ts';

export function declareGraph(program: Command, launch: Launch): void {
  const command = addCommand(program, 'graph', ['org', 'gvc', 'env', 'embedded'])
    .argument(paths, pathsHelp)
    .description('print the dependencies between resources')
    .addOption(
      new Option('--format <format>', 'output format of the graph').choices(['mermaid', 'dot', 'text']).default('text'),
    )
    .action((given: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<GraphOptions>(), async (context) => (await import('./run.ts')).runGraph(context, given)),
    );
  completePage(command, 'graph', [
    ['gantry graph examples/shop', 'as text'],
    ['gantry graph examples/shop --format dot | dot -Tsvg > shop.svg', 'as a picture'],
  ]);
}
