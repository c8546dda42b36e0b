import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeControls } from '../../src/base/json/escapeControls.ts';
import { jsonText } from '../../src/base/json/jsonText.ts';
import { withArticle } from '../../src/base/text/article.ts';
import { compareText } from '../../src/base/text/compareText.ts';
import { counted } from '../../src/base/text/counted.ts';
import { durationMs, durationWithUnitMs } from '../../src/base/text/duration.ts';
import { firstLines, firstOf } from '../../src/base/text/firstOf.ts';
import { escapeHtml } from '../../src/base/text/html.ts';
import { inWords } from '../../src/base/text/inWords.ts';
import { patternInWords, patterns } from '../../src/base/text/patterns.ts';
import { suggest } from '../../src/base/text/suggest.ts';
import { available, meantOrAvailable, suggestion } from '../../src/base/text/suggestion.ts';
import { withoutCredentials } from '../../src/base/text/withoutCredentials.ts';
import { withoutSecrets } from '../../src/base/text/withoutSecrets.ts';

test.each([
  ['agent', 'an agent'],
  ['IP set', 'an IP set'],
  ['user', 'a user'],
  ['GVC', 'a GVC'],
  ['new agent', 'a new agent'],
])('%s gets its article', (noun, spoken) => {
  expect(withArticle(noun)).toBe(spoken);
});

test.each([
  [1, 'resource', '1 resource'],
  [0, 'resource', '0 resources'],
  [2, 'policy', '2 policies'],
  [2, 'day', '2 days'],
  [2, 'system', '2 systems'],
  [2, 'year', '2 years'],
])('%i of %s', (count, noun, spoken) => {
  expect(counted(count, noun)).toBe(spoken);
});

test('an irregular plural is given explicitly', () => {
  expect([counted(2, 'index', 'indices'), counted(1, 'index', 'indices')]).toEqual(['2 indices', '1 index']);
});

test('texts are sorted by their code units, on every machine', () => {
  expect(['b', 'B', 'ä', 'a', 'a', 'Z'].sort(compareText)).toEqual(['B', 'Z', 'a', 'a', 'b', 'ä']);
  expect([compareText('a', 'a'), compareText('a', 'b'), compareText('b', 'a')]).toEqual([0, -1, 1]);
});

test('only the first items are named, with the number of the others', () => {
  expect([firstOf(['a', 'b'], 2), firstOf(['a', 'b', 'c'], 2), firstOf([], 2)]).toEqual([
    'a, b',
    'a, b and 1 more',
    '',
  ]);
  expect(firstLines(['a', 'b'], 2)).toEqual(['a', 'b']);
  expect(firstLines(['a', 'b', 'c', 'd'], 2)).toEqual(['a', 'b', 'and 2 more']);
  expect(firstLines(['a', 'b', 'c', 'd'], 2, 'changes')).toEqual(['a', 'b', 'and 2 more changes']);
});

test.each([
  ['20ms', 20],
  ['1.5s', 1500],
  ['1.25s', 1250],
  ['36h', 129_600_000],
  ['1h30m', 5_400_000],
  ['2d', 172_800_000],
  ['1w', 604_800_000],
  ['1.1h', 3_960_000],
  ['10s5ms', 10_005],
])('%s is %i ms, with a unit', (text, ms) => {
  expect([durationMs(text), durationWithUnitMs(text)]).toEqual([ms, ms]);
});

test.each<[string | number, number | undefined]>([
  [1.4, 1],
  [0, 0],
  [-1, undefined],
  [Number.NaN, undefined],
  [Number.POSITIVE_INFINITY, undefined],
  ['250', 250],
  ['2.6', 3],
  ['2.65', 3],
  ['123456789012', 123_456_789_012],
  ['1234567890123', undefined],
  ['2.', undefined],
  ['.5', undefined],
  ['x2', undefined],
])('%s without a unit is %s ms', (text, ms) => {
  expect(durationMs(text)).toBe(ms);
});

test.each(['', 's', '5', '5 s', '1h ', 'x1h', '1y', '-1s', '1.h', '1234567890s', '1.1234567890s'])(
  '%j is not a duration with a unit',
  (text) => {
    expect(durationWithUnitMs(text)).toBeUndefined();
  },
);

test('characters that move the cursor or reverse the direction of text are made visible', () => {
  expect(escapeControls('a\u001b[31mb\tc\u0000\u009f\u202e\ufeff')).toBe(
    'a\\u001b[31mb\\u0009c\\u0000\\u009f\\u202e\\ufeff',
  );
  expect(escapeControls('äöü – „x“ 漢字 🙂')).toBe('äöü – „x“ 漢字 🙂');
});

test('a JSON document has its own line ends, and no other character on which a terminal acts', () => {
  const value = { a: 'a\u001b[31mb\tc\n\u009f\u2028\u202e', 'k\u2066': '漢字 🙂' };
  const text = jsonText(value);
  expect(text).toBe('{\n  "a": "a\\u001b[31mb\\tc\\n\\u009f\\u2028\\u202e",\n  "k\\u2066": "漢字 🙂"\n}');
  expect(JSON.parse(text)).toEqual(value);
});

test.each<[string, readonly string[], string | undefined]>([
  ['imagee', ['image', 'name'], 'image'],
  ['IMAGE', ['image'], 'image'],
  ['iamge', ['image'], 'image'],
  ['mni', ['cpu', 'min'], 'min'],
  ['cpu', ['gpu', 'cpus'], 'gpu'],
  ['ab', ['xy', 'cd'], undefined],
  ['abc', ['axc'], 'axc'],
  ['abc', ['axx'], undefined],
  ['a', ['b'], 'b'],
  ['a', ['bc'], undefined],
  ['minCpu', ['maxCpu', 'minCpus'], 'minCpus'],
  ['containers', ['contain'], 'contain'],
  ['containers', ['conta'], undefined],
  ['', [], undefined],
  ['abcdef', ['abdcfe'], 'abdcfe'],
  ['abcd', ['cbad'], undefined],
])('%s is suggested for a name among %j: %s', (written, candidates, meant) => {
  expect(suggest(written, candidates)).toBe(meant);
});

/** By the definition, without a bound: insertions, deletions, replacements, and swaps of neighbours. */
function edits(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [first, second] = [a.slice(1), b.slice(1)];
  const ways = [edits(first, second) + (a[0] === b[0] ? 0 : 1), edits(first, b) + 1, edits(a, second) + 1];
  const isSwap = a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0];
  return Math.min(...ways, ...(isSwap ? [edits(a.slice(2), b.slice(2)) + 1] : []));
}

test('the nearest of all is suggested, the first of equally near ones, if it is near enough', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });
  fc.assert(
    fc.property(name, fc.array(name, { maxLength: 5 }), (written, candidates) => {
      const near = candidates
        .map((text) => ({ text, distance: edits(written, text) }))
        .filter(({ text, distance }) => distance <= Math.max(1, Math.floor(Math.max(text.length, written.length) / 3)));
      const best = near.toSorted((a, b) => a.distance - b.distance)[0];
      expect(suggest(written, candidates)).toBe(best?.text);
    }),
  );
});

test('the hint suggests the nearest name, or lists the existing names if none is near', () => {
  expect(suggestion('prodd', ['dev', 'prod'])).toBe('Did you mean "prod"?');
  expect(suggestion('x', ['dev', 'prod'])).toBeUndefined();
  expect(suggestion('a'.repeat(64), ['a'.repeat(65)])).toBe(`Did you mean "${'a'.repeat(65)}"?`);
  expect(suggestion('a'.repeat(65), ['a'.repeat(65)])).toBeUndefined();
  expect(meantOrAvailable('prodd', ['dev', 'prod'])).toBe('Did you mean prod?');
  expect(meantOrAvailable('x', ['dev', 'prod'])).toBe('Available: dev, prod.');
  expect(available([])).toBe('Available: none.');
});

test('every pattern is described in its own words', () => {
  const all = Object.values(patterns);
  expect(all.map(({ pattern }) => patternInWords(pattern))).toEqual(all.map(({ words }) => words));
  expect(patternInWords('^other$')).toBe('is not in the form that is asked for here');
});

test('secrets are masked in their own length, and nothing else is', () => {
  const hidden = 'abcdefghijklmnop';
  expect(withoutSecrets(`x${hidden}y`, [hidden])).toBe('x***y');
  expect(withoutSecrets(`${hidden}${hidden}`, [hidden])).toBe('******');
  expect(withoutSecrets('abcdefghijk', [hidden])).toBe('abcdefghijk');
  expect(withoutSecrets('x-abcdefghijkl', [hidden])).toBe('x-***');
  expect(withoutSecrets([hidden, { [hidden]: [1, true, null, hidden] }], [hidden])).toEqual([
    '***',
    { '***': [1, true, null, '***'] },
  ]);
  expect(withoutSecrets('abcabc', ['abc', 'abcabc'])).toBe('***');
  expect(withoutSecrets('a b', [])).toBe('a b');
});

test.each([
  ['no postgres://u:p@host/db, as expected', 'no postgres://host/db, as expected'],
  ['redis://:p@ss@host', 'redis://host'],
  ['https://token@host/x?to=a@b', 'https://host/x?to=a@b'],
  ["{url: 'postgres://u:a/b?c#d@host'}", "{url: 'postgres://host'}"],
  ['https://cdn:443/x@1.2.3 for ops@acme.com', 'https://cdn:443/x@1.2.3 for ops@acme.com'],
  [
    'https://host/@acme/x, see http://host: ask ops@acme.com',
    'https://host/@acme/x, see http://host: ask ops@acme.com',
  ],
])('a message keeps an address without its user and password: %s', (text, shown) => {
  expect(withoutCredentials(text)).toBe(shown);
});

test.each([
  ['in JSON', 'a"b', 'x a\\"b', 'x ***'],
  ['in JSON in JSON', 'a"b', 'x a\\\\\\"b', 'x ***'],
  ['in a form', 'a b', 'x=a+b', 'x=***'],
  ['in base64', 'abcdefghi', 'YWJjZGVmZ2hp', '***'],
  ['in base64, one byte later, with text after it', 'abcdefghi', 'eGFiY2RlZmdoaXl6', 'eGFi***aXl6'],
  ['in base64, two bytes later, before another', 'abcdefghi', 'eHlhYmNkZWZnaGkh', 'eHlh***Gkh'],
])('a short secret is masked as a whole: %s', (_, secret, text, shown) => {
  expect(withoutSecrets(text, [secret])).toBe(shown);
});

test.each([
  ['as a field of a form', 'a+b%26c%2Fd%2Be'],
  ['in hex, in capitals', '612062266332642B65'.replace('32', '2F')],
  ['in base64 for addresses', Buffer.from('a b&c/d+e').toString('base64url')],
  ['in base64 one byte later', Buffer.from('xa b&c/d+e').toString('base64')],
  ['in base64 two bytes later', Buffer.from('xya b&c/d+e').toString('base64')],
])('a secret of nine characters is masked %s', (_, text) => {
  const shown = String(withoutSecrets(text, ['a b&c/d+e']));
  expect(shown).toContain('***');
  expect(shown.length).toBeLessThan(text.length);
});

test('a secret of eight characters is not searched in base64, because too much text would match', () => {
  const text = Buffer.from('abcdefgh').toString('base64');
  expect(withoutSecrets(text, ['abcdefgh'])).toBe(text);
});

test.each([
  { words: [], text: '' },
  { words: ['a'], text: 'a' },
  { words: ['a', 'b'], text: 'a and b' },
  { words: ['a', 'b', 'c'], text: 'a, b and c' },
])('$words in words', ({ words, text }) => {
  expect(inWords(words, 'and')).toBe(text);
  expect(inWords(words, 'or')).toBe(text.replace('and', 'or'));
});

test('text in attributes and elements of HTML', () => {
  expect(escapeHtml(`<a href="x" title='y'>&`)).toBe('&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;');
});
