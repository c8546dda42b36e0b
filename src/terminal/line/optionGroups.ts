import { type Command, Option } from 'commander';
import { settingsTable } from '../../project/settings/settingsTable.ts';
import { collect, parseParallelism, parseRehearse, parseValidFor, parseWaitTimeout } from './optionValues.ts';

const consistencyTimeout = settingsTable['consistency-timeout'];

/** How a plan is shown to people. */
export function addPlanTextOptions(command: Command): void {
  command
    .option('--patch', 'show the bodies of PATCH requests', false)
    .addOption(new Option('--compact', 'show one line for each change').default(false).conflicts(['full', 'patch']))
    .option('--full', 'show every change separately, and long values in full', false);
}

/** For commands that make a plan to be kept. */
export function addRehearseOption(command: Command): void {
  command.addOption(
    new Option(
      '--rehearse [how]',
      'try the plan on an in-process platform; crash: also interrupt it at every step',
    ).argParser(parseRehearse),
  );
}

/** For commands that ask before they write. */
export function addAskOptions(command: Command): void {
  command.option('--yes', 'do not ask', false);
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
    )
    .option(
      consistencyTimeout.flags,
      `${consistencyTimeout.about} (default: ${consistencyTimeout.variable}, then gantry.yaml, then ${consistencyTimeout.usual})`,
      parseWaitTimeout,
    );
}

/** For commands that sign a plan. */
export function addSignOptions(command: Command, what: string): void {
  command
    .option('--sign <keyfile>', what)
    .addOption(
      new Option('--valid-for <duration>', 'how long the signature is valid')
        .argParser(parseValidFor)
        .default(parseValidFor('7d'), '7d'),
    );
}

/** For commands that verify who planned. */
export function addSignerOption(command: Command): void {
  command.option('--signed-by <keys>', 'require a signature by one of the public keys in this file');
}

/** For commands that verify who planned, and who approved. */
export function addTrustOptions(command: Command): void {
  addSignerOption(command);
  command.option('--approved-by <keys>', 'require an approval by one of the public keys in this file');
}

/** For commands that tell somebody how they ended. */
export function addNotifyOption(command: Command, what = 'post the outcome to this URL'): void {
  command.option(
    '--notify <url>',
    `${what}; slack:URL posts a Slack message (repeatable; also GANTRY_NOTIFY)`,
    collect,
    [],
  );
}
