import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { ask, askFor } from '../../src/terminal/ask.ts';

function typed(text: string, terminal = true) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const answer = ask('Make these changes? (yes/no) ', { input, output, terminal });
  input.end(text);
  return answer;
}

test.each(['yes\n', 'y\n', ' YES \n'])('%j is a yes', async (text) => {
  expect(await typed(text)).toBe(true);
});

test.each(['no\n', '\n', 'yess\n', 'ja\n', ''])('%j is a no', async (text) => {
  expect(await typed(text)).toBe(false);
  expect(await typed(text, false)).toBe(false);
});

test('Ctrl-C interrupts the command instead of answering', async () => {
  await expect(typed('ye\u0003')).rejects.toMatchObject({
    code: 'cli.interrupted',
    message: 'interrupted at the prompt, before these changes were made',
  });
});

test.each(['ye\u0003', '\u0004', ''])('after %j the next output begins a new line', async (text) => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const answer = ask('Sure? ', { input, output, terminal: true });
  input.end(text);
  await answer.catch(() => {});
  expect(String(output.read())).toMatch(/\n$/);
});

test.each([
  ['shop\n', true],
  ['yes\n', false],
  ['\n', false],
])('a question for a name accepts only the name: %j', async (text, is) => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const answer = askFor(['shop'], (name) => `Type ${name}: `, { input, output, terminal: true });
  input.end(text);
  expect(await answer).toBe(is);
});
