import { type Command, Option } from 'commander';
import { parseParallelism } from './optionValues.ts';

/** How a plan is shown to people. */
export function addPlanTextOptions(command: Command): void {
  command
    .option('--patch', 'show the bodies of PATCH requests', false)
    .addOption(new Option('--compact', 'one line for each change').default(false).conflicts(['full', 'patch']))
    .option('--full', 'show every change separately, and long values in full', false);
}

/** For commands that ask before they write. */
export function addAskOptions(command: Command): void {
  command.option('--yes', 'do not ask', false).option('--no-input', 'never ask; without --yes nothing is changed');
}

/** For commands that run a plan. */
export function addRunOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--verify <how>', 'check the result: compare what was written, or plan everything again')
        .choices(['written', 'full'])
        .default('written'),
    )
    .option(
      '--parallelism <n>',
      'run at most n changes at once, 1 to 256 (default: up to 64, adapted to the platform)',
      parseParallelism,
    );
}
