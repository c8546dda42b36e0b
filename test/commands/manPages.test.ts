import { expect, test } from 'vitest';
import { makeProgram } from '../../src/cli/program.ts';
import { manPages } from '../../src/commands/manPages.ts';
import { rowsOf } from '../../src/commands/table/rows.ts';
import { fullName, leafCommands } from '../../src/terminal/commandTree.ts';
import { nouns } from '../../src/terminal/nouns.ts';

const program = makeProgram(async () => {});
const pages = await manPages(program, '0.0.0');
const macros = ['B', 'BR', 'I', 'PP', 'SH', 'SS', 'TH', 'TP', 'fi', 'nf'];
const text = (name: string) => (pages.get(`${name}.1`) ?? '').replaceAll('\\-', '-');

test.each(nouns)('gantry-%s documents each of its commands and options', async (noun) => {
  expect(text(`gantry-${noun}`)).toMatch(new RegExp(`^\\.TH "GANTRY-${noun.toUpperCase()}" "1"`));
  for (const { verb, options = [] } of await rowsOf(noun)) {
    expect(text(`gantry-${noun}`)).toContain(`.SS gantry ${noun} ${verb}`);
    for (const { flags } of options) expect(text(`gantry-${noun}`)).toContain(`.B ${flags}\n`);
  }
});

test.each(leafCommands(program).map((command) => ({ name: fullName(command), command })))(
  'gantry $name is on the page of its first word, with its options and examples',
  ({ name, command }) => {
    const page = text(`gantry-${name.split(' ')[0]}`);
    expect(page).toContain(`.SS gantry ${name} `);
    for (const { flags, hidden } of command.options) if (!hidden) expect(page).toContain(`.B ${flags}\n`);
    expect(page).toMatch(/^\.nf\n {4}gantry /m);
  },
);

test('gantry(1) names every page, the shared options, and the meaning of each exit code', () => {
  for (const file of pages.keys())
    if (file !== 'gantry.1') expect(text('gantry')).toContain(`${file.replace('.1', '(1)')}`);
  for (const words of ['.B --no-pager\n', '.B -o, --output <format>\n', '.B 64\nwrong command line', '.B 3\n']) {
    expect(text('gantry')).toContain(words);
  }
});

test.each([
  ['gantry-profile', ['NAME', 'SYNOPSIS', 'COMMANDS', 'OPTIONS OF ALL COMMANDS', 'FILES', 'EXIT STATUS', 'SEE ALSO']],
  ['gantry-plan', ['NAME', 'SYNOPSIS', 'COMMANDS', 'FILES', 'EXIT STATUS', 'SEE ALSO']],
  ['gantry', ['NAME', 'SYNOPSIS', 'COMMANDS', 'OPTIONS OF SEVERAL COMMANDS', 'FILES', 'EXIT STATUS']],
])('%s(1) has its sections', (name, sections) => {
  expect([...text(name).matchAll(/^\.SH (.*)$/gm)].map(([, section]) => section)).toEqual(sections);
});

/** Words of docs/client.md and docs/commands.md, in the form of man(7). */
test.each([
  ['gantry-profile', '.B gantry profile\n.I command\n[options]\n.SH'],
  ['gantry-terraform', '.B gantry terraform\n.I command\n[options]\n.SH'],
  ['gantry-plan', '.B gantry plan\n[options] [path...]\n.SH'],
  ['gantry-task', '.SS gantry task complete <id>\nAnswer a task.\n.TP\n.B --answer <answer>\n'],
  ['gantry-task', '\nthe answer (required; one of accept, reject)\n'],
  ['gantry-workload', '.B --arg <text>\nan argument of the command (repeatable)\n'],
  ['gantry-workload', '.B --cpu <amount>\nCPU of the container (default: 50m)\n'],
  ['gantry-workload', '.PP\n.nf\n    gantry workload logs web --since 10m\n.fi\n'],
  [
    'gantry-volumeset',
    '    gantry volumeset create --file volumeset.yaml  # from a file, or from standard input with -\n.fi\n',
  ],
  ['gantry-plan', '\n.PP\nOptions that are described in gantry(1): '],
])('%s(1) has: %s', (name, words) => {
  expect(text(name)).toContain(words);
});

test('no line of text is read as a roff request', () => {
  for (const [file, page] of pages) {
    const requests = page.split('\n').filter((line) => /^[.']/.test(line));
    const known = requests.filter((line) => macros.includes(/^\.(\w+)/.exec(line)?.[1] ?? ''));
    expect(known, file).toEqual(requests);
  }
});
