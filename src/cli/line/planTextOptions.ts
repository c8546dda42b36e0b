import { type Command, Option } from 'commander';

/** How a plan is shown to people. */
export function addPlanTextOptions(command: Command): void {
  command
    .option('--patch', 'show the bodies of PATCH requests', false)
    .addOption(new Option('--compact', 'one line for each change').default(false).conflicts(['full', 'patch']))
    .option('--full', 'show every change by itself, and long values whole', false);
}
