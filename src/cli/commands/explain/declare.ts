import type { Command } from 'commander';
import { completePage } from '../../../terminal/line/helpPage.ts';
import type { Launch } from '../../../terminal/line/launch.ts';
import { addCommand, platformOptions } from '../../../terminal/line/sharedOptions.ts';
import { addPermits } from '../../line/permitOptions.ts';
import { addReportOption } from '../../line/reportOption.ts';
import type { ExplainOptions } from './run.ts';

export function declareExplain(program: Command, launch: Launch): void {
  const command = addCommand(program, 'explain', platformOptions)
    .argument('<input>', 'the file of a saved plan, or a PATH as for gantry plan')
    .argument('<resource>', 'kind/[gvc/]name')
    .argument('[field]', 'a path in it: spec.containers.main.cpu')
    .description('explain why a plan changes a resource, or one of its fields')
    .action((input: string, resource: string, field: string | undefined) =>
      launch(command.opts<ExplainOptions>(), async (context) =>
        (await import('./run.ts')).runExplain(context, input, resource, field),
      ),
    );
  addReportOption(command, 'explain');
  addPermits(command);
  completePage(command, 'explanation', [
    ['gantry explain . workload/shop/web spec.containers.main.cpu', 'where each value comes from'],
  ]);
}
