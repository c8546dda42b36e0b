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

test('no line of text is read as a roff request', () => {
  for (const [file, page] of pages) {
    const requests = page.split('\n').filter((line) => /^[.']/.test(line));
    const known = requests.filter((line) => macros.includes(/^\.(\w+)/.exec(line)?.[1] ?? ''));
    expect(known, file).toEqual(requests);
  }
});
