import type { Command } from 'commander';
import { completePage } from '../../../terminal/line/helpPage.ts';
import type { Launch } from '../../../terminal/line/launch.ts';
import type { GlobalOptions } from '../../../terminal/line/options.ts';
import { addCommand } from '../../../terminal/line/sharedOptions.ts';

/**
 * `gantry policy test`. All other commands that begin so are about resources of the kind `policy` (`terminal/line/nouns.ts`).
 */
export function declarePolicy(program: Command, launch: Launch): void {
  const policy = program
    .command('policy')
    .helpCommand(false)
    .description('test policies as code (gantry policy --help: commands on resources of the kind policy)');
  const command = addCommand(policy, 'test', ['org', 'env'])
    .argument('[path...]', 'files and folders of tests (default: policies)')
    .description('try the policies of the project on manifests and plans, and compare what they find')
    .action((given: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<GlobalOptions>(), async (context) => (await import('./run.ts')).runPolicyTest(context, given)),
    );
  completePage(command, 'policy-tests', [
    ['gantry policy test', 'policies/*.test.yaml of the project in this folder'],
    ['gantry policy test policies/images.test.yaml -o json', 'one file of tests, for programs'],
  ]);
  completePage(policy, undefined, [['gantry policy test', 'try the policies of the project']]);
}
