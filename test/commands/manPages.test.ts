import { expect, test } from 'vitest';
import { manPages } from '../../src/commands/manPages.ts';
import { rowsOf } from '../../src/commands/table/rows.ts';
import { nouns } from '../../src/terminal/line/nouns.ts';

const pages = await manPages('0.0.0');
const macros = ['B', 'I', 'PP', 'SH', 'SS', 'TH', 'TP', 'fi', 'nf'];

test('there is a page for each kind, with each of its commands and options', async () => {
  expect([...pages.keys()]).toEqual(nouns.map((noun) => `gantry-${noun}.1`));
  for (const noun of nouns) {
    const text = (pages.get(`gantry-${noun}.1`) ?? '').replaceAll('\\-', '-');
    expect(text).toMatch(new RegExp(`^\\.TH "GANTRY-${noun.toUpperCase()}" "1"`));
    for (const { verb, options = [] } of await rowsOf(noun)) {
      expect(text).toContain(`.SS gantry ${noun} ${verb}`);
      for (const { flags } of options) expect(text).toContain(`.B ${flags}\n`);
    }
  }
});

test('no line of text is taken for a request of roff', () => {
  for (const [file, page] of pages) {
    const requests = page.split('\n').filter((line) => /^[.']/.test(line));
    const known = requests.filter((line) => macros.includes(/^\.(\w+)/.exec(line)?.[1] ?? ''));
    expect(known, file).toEqual(requests);
  }
});
