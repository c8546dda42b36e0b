import type { Command } from 'commander';
import { completePage } from '../../../terminal/line/helpPage.ts';
import type { Launch } from '../../../terminal/line/launch.ts';
import type { OutputOptions } from '../../../terminal/line/options.ts';
import { addCommand } from '../../../terminal/line/sharedOptions.ts';
import { documentSchemas, schemaNames } from './documents.ts';

export function declareSchema(program: Command, launch: Launch): void {
  const command = addCommand(program, 'schema', [])
    .argument('<name>', `one of ${schemaNames.join(', ')}`)
    .description('print the JSON Schema of a kind, or of a document that commands print')
    .action((name: string, _: unknown, parsed: Command) =>
      launch(parsed.opts<OutputOptions>(), async (context) =>
        (await import('./run.ts')).runSchema(context, name, schemaNames, documentSchemas),
      ),
    );
  completePage(command, undefined, [['gantry schema workload > workload.json', 'for a YAML editor']]);
}
