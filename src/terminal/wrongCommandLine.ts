import type { Command, CommanderError } from 'commander';
import { inWords } from '../base/text/inWords.ts';
import { suggest } from '../base/text/suggest.ts';
import { commandAt, fullName, leafCommands } from './commandTree.ts';
import { insteadOfCommand } from './habits.ts';
import { nouns } from './nouns.ts';
import { plainly, UsageError } from './usageError.ts';

/**
 * Commander's error for a command line (`error: unknown option '--yess'`), in our form and with the probable option.
 */
export function wrongCommandLine(
  { code, message }: CommanderError,
  args: readonly string[],
  program: Command,
): UsageError {
  const command = commandAt(program, args)?.command;
  if (code === 'commander.help') {
    return command === undefined
      ? new UsageError('no command is given')
      : new UsageError(`gantry ${fullName(command)} needs one of its commands`, seeHelp(command));
  }
  const [first = '', suggestion] = message.replace(/^error: /, '').split('\n');
  const unknown = foreignWord(args) ?? /^unknown option '(-[^'=]+)/.exec(first)?.[1];
  if (unknown !== undefined) return unknownOption(unknown, args, program);
  const isFirst = code === 'commander.unknownCommand' && program.commands.every((each) => each.name() !== args[0]);
  const hint = isFirst ? meantCommand(args[0] ?? '', program) : suggestion?.replace(/^\((.*)\)$/, '$1');
  return new UsageError(plainly(first), hint ?? seeHelp(command));
}

/** The most similar command, or kind of resource. */
function meantCommand(word: string, { commands }: Command): string | undefined {
  const foreign = insteadOfCommand(word);
  if (foreign !== undefined) return foreign;
  const meant = suggest(word, [...commands.map((command) => command.name()), ...nouns]);
  return meant === undefined ? undefined : `Did you mean ${meant}?`;
}

/** `-out=FILE` would be parsed as `-o` with a value: a word after one hyphen is an option of another tool. */
function foreignWord(args: readonly string[]): string | undefined {
  const end = args.indexOf('--');
  const words = args.slice(0, end === -1 ? args.length : end).map((arg) => /^-[a-z][a-z-]+/.exec(arg)?.[0]);
  return words.find((word) => word !== undefined && insteadOf(word) !== undefined);
}

function unknownOption(flag: string, args: readonly string[], program: Command): UsageError {
  const command = commandAt(program, args)?.command;
  return new UsageError(
    `unknown option '${flag}'${command === undefined ? '' : ` of gantry ${fullName(command)}`}`,
    hintFor(flag, command, program),
  );
}

function hintFor(flag: string, command: Command | undefined, program: Command): string {
  const commands = leafCommands(program);
  const owners = commands.filter(({ options }) => options.some(({ short, long }) => flag === short || flag === long));
  if (owners.length > 0) return `${flag} is an option of ${inWords(owners.map(fullName), 'and')}.`;
  const instead = insteadOf(flag);
  if (instead !== undefined) return instead;
  const known = (command === undefined ? commands : [command]).flatMap(({ options }) =>
    options.map(({ long }) => long ?? ''),
  );
  const meant = suggest(flag.replace(/^-(?!-)/, '--'), known);
  if (meant !== undefined) return `Did you mean ${meant}?`;
  return seeHelp(command);
}

function seeHelp(command: Command | undefined): string {
  return `See gantry ${command === undefined ? '' : `${fullName(command)} `}--help.`;
}

interface ForeignOption {
  /** Spelled as in other tools; without the value. */
  readonly flags: readonly string[];
  /** Gantry's counterpart. */
  readonly instead: string;
}

const noState = 'Gantry has no state file: every plan reads the live state.';

/** Options of Terraform, Pulumi, kubectl and kapp with another name or no counterpart here. */
export const foreignOptions: readonly ForeignOption[] = [
  {
    flags: ['-auto-approve', '--auto-approve', '--assume-yes', '--skip-preview', '-y'],
    instead: 'Give --yes to apply or destroy.',
  },
  { flags: ['-out', '--save-plan'], instead: 'Save a plan with gantry plan --out FILE.' },
  { flags: ['-target', '-t'], instead: 'Give --target ID (kind/[gvc/]name) to plan, apply or destroy.' },
  {
    flags: ['-var', '--var', '-var-file', '--var-file', '--data-value', '-v'],
    instead: 'There are no input variables: a TypeScript stack reads process.env, a secret takes {fromEnv: NAME}.',
  },
  {
    flags: ['-f', '--filename', '--file', '-R', '--recursive', '-k', '--kustomize', '-chdir', '--cwd', '-C'],
    instead: 'Files and folders are given as PATH, without an option: gantry apply PATH.',
  },
  {
    flags: ['--dry-run', '-dry-run', '--preview', '--diff-run'],
    instead: 'gantry plan shows what would change, and changes nothing.',
  },
  {
    flags: ['--diff', '-c', '--diff-changes', '--show-diff'],
    instead:
      'gantry plan shows every difference; --patch adds the bodies of requests. apply shows it too, before it asks.',
  },
  {
    flags: ['-n', '--namespace', '-A', '--all-namespaces'],
    instead: 'Give --gvc NAME: workloads belong to a GVC.',
  },
  { flags: ['-a', '--app', '-s', '--into-ns'], instead: 'Give --stack NAME.' },
  {
    flags: ['-destroy', '--destroy', '--delete'],
    instead: 'gantry destroy deletes everything that belongs to a stack.',
  },
  { flags: ['-json', '--json', '-j'], instead: 'Give -o json.' },
  {
    flags: ['-lock', '--lock', '-lock-timeout', '--lock-timeout'],
    instead: `${noState} There is nothing to lock: each write carries the version that it was planned from.`,
  },
  { flags: ['-state', '--state', '-state-out', '--state-out', '-backup', '--backup'], instead: noState },
  {
    flags: ['-refresh', '--refresh', '-refresh-only', '--refresh-only', '-r'],
    instead: `${noState} gantry drift shows what others changed.`,
  },
  {
    flags: ['-upgrade', '--upgrade', '-reconfigure', '-migrate-state'],
    instead: 'There are no providers to set up. npm installs another version of Gantry.',
  },
  {
    flags: ['-replace', '--replace', '--target-replace'],
    instead:
      'A resource that cannot be changed in place is replaced automatically. To force a replacement, delete the ' +
      'resource on the platform and apply.',
  },
  {
    flags: ['--force', '-force', '--force-conflicts', '--server-side', '--overwrite'],
    instead: 'There is no general override. A refusal that you can override names its option in the plan.',
  },
  {
    flags: ['-l', '--selector', '--prune-allowlist', '--label'],
    instead: 'Give --target ID or --exclude ID: there is no selection by labels.',
  },
  { flags: ['-p', '--parallel', '--concurrency'], instead: 'Give --parallelism N to apply or destroy.' },
  {
    flags: ['--context', '--kubeconfig'],
    instead: 'Give --profile NAME, or --endpoint URL, --org NAME and --token TOKEN.',
  },
  { flags: ['--timeout', '--wait-for'], instead: 'Give --wait and --wait-timeout DURATION to apply.' },
  { flags: ['--show-secrets'], instead: 'gantry synth --reveal prints secret values.' },
  {
    flags: ['-input', '--non-interactive'],
    instead: 'Give --no-input: nothing is asked, and without --yes nothing changes.',
  },
  { flags: ['-w', '--watch-only'], instead: 'Give --wait to apply.' },
];

/** Gantry's counterpart of an option of another tool. */
function insteadOf(flag: string): string | undefined {
  return foreignOptions.find(({ flags }) => flags.includes(flag))?.instead;
}
