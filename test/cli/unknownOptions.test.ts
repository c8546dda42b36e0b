import { describe, expect, test } from 'vitest';
import { parseCommandLine } from '../../src/cli/run.ts';
import { UsageError } from '../../src/terminal/usageError.ts';
import { foreignOptions } from '../../src/terminal/wrongCommandLine.ts';
import { commandNamed, commandNames } from './helpPages.ts';

/** The error of a wrong command line. */
async function refusal(...args: readonly string[]): Promise<{ readonly message: string; readonly hint: string }> {
  try {
    await parseCommandLine(args, async () => {});
  } catch (error) {
    if (error instanceof UsageError) return { message: error.message, hint: error.hint ?? '' };
    throw error;
  }
  throw new Error(`it is accepted: ${args.join(' ')}`);
}

test.each([
  { it: 'an option', args: [`--${'a'.repeat(5_000)}`] },
  { it: 'an option of a command', args: ['plan', `--${'a'.repeat(5_000)}`] },
  { it: 'a command', args: ['a'.repeat(5_000)] },
  { it: 'a value', args: ['plan', '-o', 'a'.repeat(5_000)] },
])('only the beginning of a long word is repeated: $it', async ({ args }) => {
  const { message } = await refusal(...args);
  expect(message).toContain('aaaa');
  expect(message.length).toBeLessThan(300);
});

/** Options that users of Terraform, Pulumi, kubectl and kapp type. */
test.each([
  { args: ['apply', '-auto-approve'], flag: '-auto-approve', hint: /--yes/ },
  { args: ['apply', '--auto-approve'], flag: '--auto-approve', hint: /--yes/ },
  { args: ['apply', '-y'], flag: '-y', hint: /--yes/ },
  { args: ['plan', '-out=shop.plan'], flag: '-out', hint: /gantry plan --out FILE/ },
  { args: ['plan', '-out', 'shop.plan'], flag: '-out', hint: /gantry plan --out FILE/ },
  { args: ['apply', '-target=aws_instance.web'], flag: '-target', hint: /--target ID/ },
  { args: ['plan', '-var', 'image=1'], flag: '-var', hint: /no input variables/ },
  { args: ['plan', '-var-file=x.tfvars'], flag: '-var-file', hint: /no input variables/ },
  { args: ['apply', '-f', 'shop.yaml'], flag: '-f', hint: /as PATH/ },
  { args: ['apply', '--filename=shop.yaml'], flag: '--filename', hint: /as PATH/ },
  { args: ['apply', '-k', 'overlay'], flag: '-k', hint: /as PATH/ },
  { args: ['apply', '--dry-run'], flag: '--dry-run', hint: /gantry plan/ },
  { args: ['apply', '--dry-run=client'], flag: '--dry-run', hint: /gantry plan/ },
  { args: ['apply', '-n', 'shop'], flag: '-n', hint: /--gvc NAME/ },
  { args: ['plan', '--namespace', 'shop'], flag: '--namespace', hint: /--gvc NAME/ },
  { args: ['plan', '--diff'], flag: '--diff', hint: /gantry plan shows every difference/ },
  { args: ['plan', '-destroy'], flag: '-destroy', hint: /gantry destroy/ },
  { args: ['plan', '--json'], flag: '--json', hint: /-o json/ },
  { args: ['plan', '-json'], flag: '-json', hint: /-o json/ },
  { args: ['apply', '-lock=false'], flag: '-lock', hint: /nothing to lock/ },
  { args: ['apply', '-state=x.tfstate'], flag: '-state', hint: /has no state file/ },
  { args: ['plan', '--refresh=false'], flag: '--refresh', hint: /has no state file: every plan reads the live state/ },
  { args: ['plan', '-refresh=false'], flag: '-refresh', hint: /has no state file/ },
  { args: ['apply', '-refresh-only'], flag: '-refresh-only', hint: /gantry drift/ },
  { args: ['plan', '-upgrade'], flag: '-upgrade', hint: /npm/ },
  { args: ['apply', '-replace=x'], flag: '-replace', hint: /delete the resource on the platform/ },
  { args: ['apply', '--force'], flag: '--force', hint: /names its option/ },
  { args: ['apply', '-l', 'app=web'], flag: '-l', hint: /--target ID/ },
  { args: ['apply', '-p', '4'], flag: '-p', hint: /--parallelism N/ },
  { args: ['plan', '--timeout', '5m'], flag: '--timeout', hint: /--wait-timeout/ },
  { args: ['synth', '--show-secrets'], flag: '--show-secrets', hint: /--reveal/ },
  { args: ['-chdir=shop', 'plan'], flag: '-chdir', hint: /as PATH/ },
])('$args: the hint names our option', async ({ args, flag, hint }) => {
  const said = await refusal(...args);
  expect(said.message).toContain(`unknown option '${flag}'`);
  expect(said.hint).toMatch(hint);
});

const commands = commandNames.filter((name) => name !== 'help');
const foreign = foreignOptions.flatMap((entry) => entry.flags);

/** A command with its required options. */
function wordsOf(command: string): readonly string[] {
  return [...command.split(' '), ...(command === 'terraform bindings' ? ['--out', 'folder'] : [])];
}

async function expectUnknown(command: string, flag: string): Promise<void> {
  expect((await refusal(...wordsOf(command), flag)).message, command).toContain(`unknown option '${flag}'`);
}

test('each option of the table is unknown to all commands, is listed once, and its hint ends with a full stop', () => {
  expect(foreign.length).toBe(new Set(foreign).size);
  for (const { instead } of foreignOptions) expect(instead).toMatch(/\.$/);
  const known = commands
    .flatMap((name) => commandNamed(name)?.options ?? [])
    .flatMap(({ short, long }) => [short, long]);
  expect(known.length).toBeGreaterThan(100);
  expect(foreign.filter((flag) => known.includes(flag))).toEqual([]);
});

test('every command refuses an option of the table', async () => {
  for (const [at, command] of commands.entries()) await expectUnknown(command, foreign[at % foreign.length] ?? '');
});

// How `-auto-approve` is parsed depends on the options of one letter.
test.each([...new Map(commands.map((name) => [lettersOf(name), name])).values()])(
  '%s refuses each option of the table, like all commands with the same options of one letter',
  async (command) => {
    for (const flag of foreign) await expectUnknown(command, flag);
  },
);

function lettersOf(command: string): string {
  return (commandNamed(command)?.options ?? [])
    .flatMap(({ short }) => short ?? [])
    .toSorted()
    .join();
}

describe('an option of another command names the commands that know it', () => {
  // biome-ignore format: a row is a case
  test.each([
    { args: ['schema', 'gvc', '--wait'], message: "unknown option '--wait' of gantry schema",
      hint: '--wait is an option of plan and apply.' },
    { args: ['plan', '--yes'], message: "unknown option '--yes' of gantry plan",
      hint: '--yes is an option of approve, apply, destroy, adopt, reconcile approve and doctor.' },
    { args: ['--yes', 'validate', '.'], message: "unknown option '--yes' of gantry validate",
      hint: '--yes is an option of approve, apply, destroy, adopt, reconcile approve and doctor.' },
    {
      args: ['validate', '--token', 't'],
      message: "unknown option '--token' of gantry validate",
      hint: '--token is an option of plan, apply, destroy, explain, drift, status, output, adopt, undo, reconcile run, reconcile once, doctor, serve and terraform export.',
    },
    { args: ['plan', '--parallelism', '4'], message: "unknown option '--parallelism' of gantry plan",
      hint: '--parallelism is an option of apply, destroy, reconcile run and reconcile once.' },
  ])('$args', async ({ args, message, hint }) => {
    expect(await refusal(...args)).toEqual({ message, hint });
  });
});

test.each([
  { args: ['plan', '--embeded'], hint: 'Did you mean --embedded?' },
  { args: ['plan', '-detailed-exitcode'], hint: 'Did you mean --detailed-exitcode?' },
  { args: ['plan', '--xyzzy'], hint: 'See gantry plan --help.' },
  { args: ['--xyzzy', 'plan'], hint: 'See gantry --help.' },
  { args: ['plna'], hint: 'Did you mean plan?' },
])('$args: $hint', async ({ args, hint }) => {
  expect((await refusal(...args)).hint).toBe(hint);
});

test.each(['0', '257', '1.5', 'all'])('--parallelism %s is invalid', async (value) => {
  expect((await refusal('apply', '--parallelism', value)).message).toContain('--parallelism');
});

test('after -- nothing is an option', async () => {
  await expect(parseCommandLine(['plan', '--', '-f'], async () => {})).resolves.toBeUndefined();
});
