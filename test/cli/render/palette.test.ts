import { expect, test } from 'vitest';
import { type ColorWish, wantsColor } from '../../../src/terminal/palette.ts';

const onTerminal: ColorWish = {
  flag: undefined,
  noColor: undefined,
  forceColor: undefined,
  term: 'xterm',
  isTerminal: true,
};

test.each([
  { it: 'on a terminal', wish: {}, colored: true },
  { it: 'not in a file', wish: { isTerminal: false }, colored: false },
  { it: 'not on a dumb terminal', wish: { term: 'dumb' }, colored: false },
  { it: 'not with NO_COLOR', wish: { noColor: '1' }, colored: false },
  { it: 'with an empty NO_COLOR', wish: { noColor: '' }, colored: true },
  { it: 'in a file with FORCE_COLOR', wish: { isTerminal: false, forceColor: '1' }, colored: true },
  { it: 'not with FORCE_COLOR=0', wish: { forceColor: '0' }, colored: false },
  { it: 'with --color, despite NO_COLOR', wish: { flag: true, noColor: '1', isTerminal: false }, colored: true },
  { it: 'not with --no-color, despite FORCE_COLOR', wish: { flag: false, forceColor: '1' }, colored: false },
])('colours $it', ({ wish, colored }) => {
  expect(wantsColor({ ...onTerminal, ...wish })).toBe(colored);
});
