import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { makeProgram } from '../../src/cli/program.ts';
import { parseCommandLine } from '../../src/cli/run.ts';
import type { Launch } from '../../src/terminal/context.ts';
import { exitCodeOfEnding } from '../../src/terminal/ending.ts';
import { version } from '../../src/terminal/version.ts';
import { usualPermits } from '../plan/world.ts';

interface Parsed {
  readonly exitCode: number;
  readonly options: unknown;
}

/** Parses a command line without running it. */
async function parse(...args: readonly string[]): Promise<Parsed> {
  let options: unknown;
  const launch: Launch = async (parsed) => {
    options = parsed;
  };
  try {
    await parseCommandLine(args, launch);
    return { exitCode: 0, options };
  } catch (error) {
    return { exitCode: exitCodeOfEnding(error), options };
  }
}

test('the version equals that of package.json', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(version).toBe(manifest.version);
});

describe('a wrong command line exits with 64', () => {
  test.each([
    { it: 'with an unknown command', args: ['pland'] },
    { it: 'with an unknown option', args: ['plan', '--bogus'] },
    { it: 'with an unknown format', args: ['plan', '-o', 'xml'] },
    { it: 'with an invalid count', args: ['plan', '--max-deletes=-1'] },
    { it: 'with a fractional count', args: ['plan', '--allow-collateral=1.5'] },
    { it: 'with a port out of range', args: ['serve', '--port', '70000'] },
    { it: 'with an invalid duration', args: ['serve', '--latency', 'soon'] },
    { it: 'without the kind', args: ['schema'] },
    { it: 'with an empty path, which would be the current folder', args: ['apply', '', '--yes'] },
    { it: 'with an empty value', args: ['plan', '.', '--gvc', ''] },
    { it: 'with an empty value after =', args: ['plan', '.', '--data='] },
    { it: 'with too many arguments', args: ['schema', 'gvc', 'workload'] },
  ])('$it', async ({ args }) => {
    expect((await parse(...args)).exitCode).toBe(64);
  });
});

describe('a command that is declared alone equals the one that is declared with all', () => {
  const all = makeProgram(async () => {}).commands;

  test.each(all.map((command) => ({ name: command.name(), page: command.helpInformation() })))(
    '$name',
    ({ name, page }) => {
      const declared = makeProgram(async () => {}, name).commands;
      const expected = name === 'help' ? all.map((command) => command.name()) : [name];
      expect(declared.map((command) => command.name())).toEqual(expected);
      expect(declared.find((command) => command.name() === name)?.helpInformation()).toBe(page);
    },
  );

  test('an unknown word declares all commands', () => {
    expect(makeProgram(async () => {}, 'pland').commands).toHaveLength(all.length);
  });
});

test('an option of another command is an error that names the commands', async () => {
  await expect(parseCommandLine(['rules', '--detailed-exitcode'], async () => {})).rejects.toMatchObject({
    hint: '--detailed-exitcode is an option of plan, drift and promote.',
  });
});

test('shared options may stand before or after the command', async () => {
  const before = await parse('--org', 'a', '-o', 'json', 'plan', 'x');
  const after = await parse('plan', 'x', '--org', 'a', '-o', 'json');
  expect(before.options).toEqual(after.options);
  expect(after.options).toMatchObject({ org: 'a', output: 'json', embedded: false });
});

test('permits are off without a flag', async () => {
  expect((await parse('plan')).options).toMatchObject(usualPermits);
});

test('destroy has no limit of deletions unless one is given', async () => {
  expect((await parse('destroy')).options).not.toHaveProperty('maxDeletes');
  expect((await parse('destroy', '--max-deletes', '3')).options).toMatchObject({ maxDeletes: 3 });
});

test('serve has its defaults, and accepts several users', async () => {
  expect((await parse('serve')).options).toMatchObject({
    port: 4480,
    latency: 0,
    readyAfter: 500,
    user: [],
    auth: true,
  });
  const given = await parse('serve', '--user', 'a@x.io', '--user', 'b@x.io', '--latency', '1.5s', '--no-auth');
  expect(given.options).toMatchObject({ user: ['a@x.io', 'b@x.io'], latency: 1500, auth: false });
});
