import { expect, test } from 'vitest';
import { cutMiddle } from '../../../src/terminal/fit.ts';
import { makePalette } from '../../../src/terminal/palette.ts';
import { renderTable } from '../../../src/terminal/table.ts';
import { cutText, endOf, padText, startOf, textWidth, wrapText } from '../../../src/terminal/textWidth.ts';

/**
 * Columns counted by hand: East Asian Wide and Fullwidth are two (UAX 11), an emoji sequence is two, a mark is none.
 */
test.each([
  { it: 'letters', text: 'web-1', width: 5 },
  { it: 'nothing', text: '', width: 0 },
  { it: 'Chinese', text: '商店', width: 4 },
  { it: 'Hangul', text: '가게', width: 4 },
  { it: 'full-width letters', text: 'ＡＢ', width: 4 },
  { it: 'half-width Katakana', text: 'ｱｲ', width: 2 },
  { it: 'a combining accent', text: 'e\u0301', width: 1 },
  { it: 'an emoji', text: '🚀', width: 2 },
  { it: 'a family, which is one emoji', text: '👩‍👩‍👧', width: 2 },
  { it: 'a flag', text: '🇩🇪', width: 2 },
  { it: 'a sign with emoji presentation', text: '❤️', width: 2 },
  { it: 'the same sign as text', text: '❤', width: 1 },
  { it: 'a zero-width space', text: 'a\u200bb', width: 2 },
  { it: 'an ellipsis', text: '…', width: 1 },
])('$it: $width columns', ({ text, width }) => {
  expect(textWidth(text)).toBe(width);
});

test('texts are padded and cut by columns, never within a character', () => {
  expect(padText('商店', 6)).toBe('商店  ');
  expect([startOf('商店🚀', 3), endOf('商店🚀', 3)]).toEqual(['商', '🚀']);
  expect([startOf('abc', 0), endOf('abc', 0), endOf('abc', 2), endOf('abc', 9)]).toEqual(['', '', 'bc', 'abc']);
  expect(cutMiddle('商店商店商店', 7)).toBe('商…店');
  expect(cutText('商店 商店 商店', 8)).toBe('商店…');
  expect(wrapText('商店 商店 商店', 9)).toEqual(['商店 商店', '商店']);
});

test('tables are aligned if names and descriptions are wide', () => {
  const columns = [{ title: 'NAME' }, { title: 'NOTE', rank: 1, isProse: true }] as const;
  const rows = [
    ['商店', '商店'.repeat(7)],
    ['web', 'b'],
  ];
  expect(renderTable(columns, rows, { palette: makePalette(false), width: 30 })).toBe(
    ['NAME  NOTE', `商店  ${'商店'.repeat(5)}商…`, 'web   b'].join('\n'),
  );
});
