import { expect, test } from 'vitest';
import { withoutWorkflowCommands } from '../../../src/terminal/terminal.ts';

test.each([
  ['::error::forged', ': :error::forged'],
  ['text\n     ::stop-commands::x\nmore', 'text\n     : :stop-commands::x\nmore'],
  ['a value ##[error]forged', 'a value ## [error]forged'],
  ['\t::add-mask::a', '\t: :add-mask::a'],
  ['image::tag in the middle of a line', 'image::tag in the middle of a line'],
])('%j is not read as a command by a GitHub runner', (text, shown) => {
  expect(withoutWorkflowCommands(text)).toBe(shown);
});
