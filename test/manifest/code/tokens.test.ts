// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates are what it is about
import { describe, expect, test } from 'vitest';
import { tokensOf } from '../../../src/manifest/fieldPlaces.ts';

/** `type:text@start` of each token. */
const tokens = (text: string) => tokensOf(text).map(({ type, text: word, start }) => `${type}:${word}@${start}`);

describe('the tokens of a program', () => {
  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'nothing', text: ' \n\t', are: [] },
      { it: 'names, also of other scripts and private ones', text: 'a $b_1 größe #x',
        are: ['name:a@0', 'name:$b_1@2', 'name:größe@7', 'name:#x@13'] },
      { it: 'numbers, with prefixes and suffixes', text: '1 0x1F 1.5e3 1_000n',
        are: ['other:1@0', 'other:0x1F@2', 'other:1.5e3@7', 'other:1_000n@13'] },
      { it: 'texts in both quotes, without the quotes', text: `'a b' "c'd"`, are: ['string:a b@0', `string:c'd@6`] },
      { it: 'texts with escapes, which are not evaluated', text: `'a\\'b' "\\\\" x`,
        are: [`other:a\\'b@0`, 'other:\\\\@7', 'name:x@12'] },
      { it: 'a text without its end in the line', text: `'ab\nc`, are: ['string:ab@0', 'name:c@4'] },
      { it: 'a text without its end in the program', text: `"ab`, are: ['string:ab@0'] },
      { it: 'a text that ends after a backslash', text: `"ab\\`, are: ['other:ab\\@0'] },
      { it: 'operators of two and three characters', text: '...a=>b.c',
        are: ['sign:...@0', 'name:a@3', 'sign:=>@4', 'name:b@6', 'sign:.@7', 'name:c@8'] },
      { it: 'no comments', text: 'a // b\nc /* d\n* / */ e // f', are: ['name:a@0', 'name:c@7', 'name:e@21'] },
      { it: 'nothing after an unclosed comment', text: 'a /* b', are: ['name:a@0'] },
      { it: 'nothing in a comment that closes immediately', text: 'a /**/ b /*/ c', are: ['name:a@0', 'name:b@7'] },
    ],
  )('$it', ({ text, are }) => {
    expect(tokens(text)).toEqual(are);
  });

  test.each([
    { it: 'of plain text', text: '`a b` c', rest: 'name:c@6' },
    { it: 'over lines', text: '`a\nb` c', rest: 'name:c@6' },
    { it: 'with escapes', text: '`\\`\\${` c', rest: 'name:c@8' },
    { it: 'with a dollar', text: '`$ {` c', rest: 'name:c@6' },
    { it: 'with a substitution', text: '`${a}` c', rest: 'name:c@7' },
    { it: 'with objects in a substitution', text: '`${{ a: {} }}` c', rest: 'name:c@15' },
    { it: 'with a text in a substitution', text: "`${'}'}` c", rest: 'name:c@9' },
    { it: 'with a comment in a substitution', text: '`${/*}*/a}` c', rest: 'name:c@12' },
    { it: 'with a pattern in a substitution', text: '`${/}/}` c', rest: 'name:c@9' },
    { it: 'with a division in a substitution', text: '`${a / b} /` c', rest: 'name:c@13' },
    { it: 'with a template in it', text: '`${`}`}` c', rest: 'name:c@9' },
    { it: 'with a template behind a text', text: "`${'}' + `x`}` c", rest: 'name:c@15' },
    { it: 'with a template behind an object', text: '`${{ a: 1 } + `x`}` c', rest: 'name:c@20' },
    { it: 'with a template in brackets', text: '`${(`x`)}` c', rest: 'name:c@11' },
    { it: 'with a pattern in brackets', text: '`${(/`/)}` c', rest: 'name:c@11' },
    { it: 'with a pattern behind a word', text: '`${typeof /`/}` c', rest: 'name:c@16' },
  ])('a template is one token: $it', ({ text, rest }) => {
    expect(tokens(text)).toEqual(['other:`@0', rest]);
  });

  test.each(['`a', '`a\\', '`${', '`${a', '`${{}', '`${`'])('%s, which is not closed, is the last token', (text) => {
    expect(tokens(text)).toEqual(['other:`@0']);
  });

  test.each([
    '= /a b/g;',
    '(/a b/.x',
    ', /[/ ]/',
    ': /\\/ /',
    '=> / /',
    'return / a/;',
    'typeof / /',
    'case / /',
    'in / /',
    'of / /',
    'void / /',
    'delete / /',
    'throw / /',
    '/ /',
    '; /[\\] /]/',
  ])('a pattern begins in %j', (text) => {
    expect(tokens(text)).toContain(`other:/@${text.indexOf('/')}`);
  });

  test.each([
    'a / b / c',
    ') / b / c',
    '] / b / c',
    '} / b / c',
    '1 / 2 / 3',
    "'a' / b / c",
    '`a` / b / c',
    '= /\n/',
    "'in' / b / c",
  ])('divisions are in %j', (text) => {
    const divisions = tokens(text).filter((token) => token.startsWith('sign:/'));
    expect(divisions).toEqual([`sign:/@${text.indexOf('/')}`, `sign:/@${text.lastIndexOf('/')}`]);
  });
});
