import { expect, test } from 'vitest';
import { TextPositions } from '../../../src/manifest/textPosition.ts';

test.each([
  { it: 'line feeds', text: 'ab\n\nc', places: ['1:1', '1:2', '1:3', '2:1', '3:1', '3:2'] },
  { it: 'Windows line ends', text: 'a\r\n\r\nb', places: ['1:1', '1:2', '1:3', '2:1', '2:2', '3:1', '3:2'] },
  { it: 'carriage returns', text: 'a\r\rb\r', places: ['1:1', '1:2', '2:1', '3:1', '3:2', '4:1'] },
  { it: 'one line', text: 'ab', places: ['1:1', '1:2', '1:3'] },
  { it: 'nothing', text: '', places: ['1:1'] },
])('every offset of a text has its line and column: $it', ({ text, places }) => {
  const positions = new TextPositions(text, 'f');
  const found = places.map((_, offset) => positions.at(offset));
  expect(found.map(({ line, column }) => `${line}:${column}`)).toEqual(places);
  expect(found.every(({ file }) => file === 'f')).toBe(true);
});
