import { CommanderError } from 'commander';
import { expect, test } from 'vitest';
import { makeClientProgram } from '../../src/commands/parseClientLine.ts';
import { rowsOf } from '../../src/commands/table/rows.ts';
import { type Noun, nounFirst, nouns } from '../../src/terminal/nouns.ts';
import { commandNames } from '../cli/helpPages.ts';

/** The output of `gantry … --help` on a terminal of this width. */
async function page(noun: Noun, args: readonly string[], width = 80): Promise<string> {
  let text = '';
  const program = makeClientProgram({ noun, rows: await rowsOf(noun), launch: async () => {}, writeHelp: () => {} });
  const all = [program, ...program.commands];
  for (const command of all) {
    all.push(...command.commands.filter((each) => !all.includes(each)));
    command.configureOutput({
      writeOut: (more) => {
        text += more;
      },
      getOutHelpWidth: () => width,
    });
  }
  try {
    await program.parseAsync([noun, ...args, '--help'], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error;
  }
  return text;
}

/** `npx vitest run test/commands/help.test.ts -u` writes the pages; review what it wrote. */
test.each([
  { noun: 'workload', args: [] },
  { noun: 'workload', args: ['create'] },
  { noun: 'workload', args: ['cron'] },
  { noun: 'gvc', args: ['query'] },
  { noun: 'volumeset', args: ['snapshot', 'create'] },
  { noun: 'secret', args: ['create-userpass'] },
  { noun: 'profile', args: [] },
] as const)('gantry $noun $args --help equals its reviewed page', async ({ noun, args }) => {
  await expect(await page(noun, args)).toMatchFileSnapshot(`help/${[noun, ...args].join('-')}.txt`);
});

test.each(nouns)('every command of %s has a help page of at most 80 columns, with all its options', async (noun) => {
  for (const { verb, options = [], about } of await rowsOf(noun)) {
    const text = await page(noun, verb.split(' '));
    expect(
      text.split('\n').filter((line) => line.length > 80 && !/^ {2}(?:\$|-)/.test(line)),
      verb,
    ).toEqual([]);
    expect(text, verb).toContain(about.split(' ').slice(0, 3).join(' '));
    for (const { flags } of options) expect(text, verb).toContain(flags);
    expect(text, verb).not.toMatch(/\(repeatable\)\s+\(/);
  }
});

test('no noun is the name of a command', () => {
  expect(nouns.filter((noun) => commandNames.includes(noun))).toEqual([]);
});

test.each([
  { args: ['gvc', 'get'], is: ['gvc', 'get'] },
  {
    args: ['-o', 'json', '--org', 'gvc', 'workload', 'get', 'x'],
    is: ['workload', 'get', 'x', '-o', 'json', '--org', 'gvc'],
  },
  { args: ['-v', 'gvc', 'get'], is: ['gvc', 'get', '-v'] },
  { args: ['plan', 'gvc'], is: undefined },
  { args: ['add', 'workload'], is: undefined },
  { args: ['--', 'gvc'], is: undefined },
  { args: [], is: undefined },
])('the command line $args with its noun first', ({ args, is }) => {
  expect(nounFirst(args)).toEqual(is);
});
