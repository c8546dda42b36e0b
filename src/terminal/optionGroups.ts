import { type Command, InvalidArgumentError, Option } from 'commander';
import { durationMs, durationWithUnitMs } from '../base/text/duration.ts';
import { settingsTable } from '../project/settings/settingsTable.ts';

const consistencyTimeout = settingsTable['consistency-timeout'];

export function addPlanTextOptions(command: Command): void {
  command
    .option('--patch', 'show the bodies of PATCH requests', false)
    .addOption(new Option('--compact', 'show one line for each change').default(false).conflicts(['full', 'patch']))
    .option('--full', 'show every change separately, and long values in full', false);
}

/** For commands that save a plan. */
export function addRehearseOption(command: Command): void {
  command.addOption(
    new Option(
      '--rehearse [how]',
      'try the plan on an in-process platform; crash: also interrupt it at every step',
    ).argParser(parseRehearse),
  );
}

/** For commands that prompt before they write. */
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

/** For commands that verify the planner. */
export function addSignerOption(command: Command): void {
  command.option('--signed-by <keys>', 'require a signature by one of the public keys in this file');
}

/** For commands that verify the planner and the approvers. */
export function addTrustOptions(command: Command): void {
  addSignerOption(command);
  command.option('--approved-by <keys>', 'require an approval by one of the public keys in this file');
}

/** For commands that send a notification about their outcome. */
export function addNotifyOption(command: Command, what = 'post the outcome to this URL'): void {
  command.option(
    '--notify <url>',
    `${what}; slack:URL posts a Slack message (repeatable; also GANTRY_NOTIFY)`,
    collect,
    [],
  );
}

/** A count, such as `0` or `7`. */
export function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  return Number(text);
}

/** `1` to `256`, the number of concurrent operations. */
export function parseParallelism(text: string): number {
  const most = parseCount(text);
  if (most < 1 || most > 256) throw new InvalidArgumentError('It must be a whole number, 1 to 256.');
  return most;
}

export function parsePort(text: string): number {
  const port = parseCount(text);
  if (port > 65_535) throw new InvalidArgumentError('It must be a port, 0 to 65535.');
  return port;
}

/** `20ms`, `1.5s`, `36h`, or a bare number of milliseconds; in milliseconds. */
export function parseDuration(text: string): number {
  const ms = durationMs(text);
  if (ms === undefined) throw new InvalidArgumentError('It must be a duration such as 20ms, 1.5s or 2m.');
  return ms;
}

/** `30s`, `5m`, `1h30m`; in milliseconds. A number without a unit is refused as ambiguous. */
export function parseWaitTimeout(text: string): number {
  const ms = durationWithUnitMs(text);
  if (ms === undefined) throw new InvalidArgumentError('It must be a duration with a unit, such as 30s, 5m or 1h.');
  return ms;
}

const secondMs = 1_000;
const yearMs = 366 * 86_400_000;

/** `24h`, `7d`: the validity of a signature; in milliseconds. */
function parseValidFor(text: string): number {
  const ms = durationWithUnitMs(text);
  if (ms !== undefined && ms >= secondMs && ms <= yearMs) return ms;
  throw new InvalidArgumentError('It must be a duration with a unit, such as 24h or 7d, of at most 366d.');
}

/** `crash`; without it only the undisturbed run is rehearsed. */
function parseRehearse(text: string): 'crash' {
  if (text === 'crash') return text;
  throw new InvalidArgumentError('Give --rehearse or --rehearse=crash; paths stand before it.');
}

/** Collects the values of a repeatable option. */
export function collect(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}
