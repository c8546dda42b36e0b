import { expect, test, vi } from 'vitest';
import { parseCommandLine } from '../../src/cli/run.ts';
import { allRows } from '../../src/commands/table/rows.ts';
import { commandNames } from './helpPages.ts';

/** The options that each command is launched with; its positional arguments are placeholders. */
async function launched(words: readonly string[]): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  await parseCommandLine(words, async (options) => {
    found.push('input' in options ? options.input : undefined);
  });
  return found;
}

/** The positional arguments that commands of the project need. */
const needed: Readonly<Record<string, readonly string[]>> = {
  add: ['workload', 'name'],
  approve: ['file'],
  show: ['file'],
  explain: ['.', 'gvc/shop'],
  promote: ['dev', 'prod'],
  undo: ['file'],
  convert: ['file'],
  'ci init': ['shell'],
  'ci fetch': ['github'],
  'ci comment': ['file'],
  schema: ['plan'],
  'reconcile now': ['stack'],
  'reconcile approve': ['stack'],
  'reconcile pause': ['stack'],
  'reconcile resume': ['stack'],
  'terraform bindings': ['--out', 'folder'],
  'terraform from-state': ['state'],
  'terraform migrate': ['folder'],
  'terraform mirror': ['folder'],
};

const flags = ['--no-input', '--no-pager', '--no-color', '--color'];

test.each(commandNames.filter((name) => name !== 'help'))(
  'gantry %s accepts --no-input, --no-pager, --color and --no-color, before and after its name',
  async (name) => {
    const words = [...name.split(' '), ...(needed[name] ?? [])];
    expect(await launched([...words, ...flags])).toEqual([false]);
    expect(await launched([...flags, ...words])).toEqual([false]);
    expect(await launched(words)).toEqual([true]);
  },
);

test('every command on single resources accepts them too', async () => {
  const wrong: string[] = [];
  for (const [noun, rows] of await allRows()) {
    for (const { verb, args = [], options = [] } of rows) {
      const must = options.filter(({ required }) => required === true);
      const words = [
        ...[noun, ...verb.split(' '), ...args.filter((arg) => arg.startsWith('<')).map(() => 'name')],
        ...must.flatMap(({ flags: own, choices }) => [
          own.split(/[ ,]+/).find((word) => word.startsWith('--')) ?? '',
          choices?.[0] ?? '1',
        ]),
      ];
      const found = [await launched([...words, ...flags]), await launched([...flags, ...words]), await launched(words)];
      if (JSON.stringify(found) !== '[[false],[false],[true]]')
        wrong.push(`${words.join(' ')}: ${JSON.stringify(found)}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('scripts may pass them to --version and help too', async () => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  expect(await launched(['--no-input', '--no-color', '--version'])).toEqual([]);
  expect(await launched(['help', 'options', '--no-input', '--no-color'])).toEqual([]);
  expect(written).toHaveBeenCalledTimes(2);
  written.mockRestore();
});
