import { type Command, Option } from 'commander';
import { parseParallelism } from './optionValues.ts';

/** How a plan is shown to people. */
export function addPlanTextOptions(command: Command): void {
  command
    .option('--patch', 'show the bodies of PATCH requests', false)
    .addOption(new Option('--compact', 'one line for each change').default(false).conflicts(['full', 'patch']))
    .option('--full', 'show every change by itself, and long values whole', false);
}

/** For commands that ask before they write. */
export function addAskOptions(command: Command): void {
  command.option('--yes', 'do not ask', false).option('--no-input', 'never ask; without --yes change nothing');
}

/** For commands that run a plan. */
export function addRunOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--verify <how>', 'afterwards compare what was written, or plan everything again')
        .choices(['written', 'full'])
        .default('written'),
    )
    .option(
      '--parallelism <n>',
      'work on at most n changes at a time, 1 to 256 (default: up to 64, as the platform bears it)',
      parseParallelism,
    );
}
