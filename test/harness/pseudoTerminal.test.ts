import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { ctrlC, startProgramInTerminal } from './pseudoTerminal.ts';
import { TerminalScreen } from './terminalScreen.ts';

test('a screen carries out sequences that move the cursor, erase and wrap', () => {
  const screen = new TerminalScreen(10, 3);
  screen.write('one\r\n0123456789ab\u001b[31mred\u001b[0m');
  expect(screen.lines).toEqual(['one', '0123456789', 'abred']);
  screen.write('\r\n\u001b[2A\u001b[0Jnew\u001b[');
  expect([screen.scrolledOff, screen.lines, screen.cursor]).toEqual([['one'], ['new', '', ''], { row: 0, column: 3 }]);
  screen.write('2D\u001b[K\u001b[?25l');
  expect([screen.text, screen.isCursorVisible]).toEqual(['n', false]);
  expect(() => screen.write('\u001b]0;title\u0007')).toThrow('unknown sequence');
});

test('a program in a terminal gets its size, its keys and its signals', async () => {
  const code = `
    const size = () => console.log(process.stdout.columns + 'x' + process.stdout.rows);
    process.stdout.on('resize', size);
    process.on('SIGINT', () => process.exit(3));
    process.stdin.once('data', (keys) => console.log('got ' + keys));
    size();`;
  const terminal = startProgramInTerminal(process.execPath, ['-e', code], { cwd: tmpdir(), columns: 40, rows: 10 });
  await terminal.until(/^40x10/);
  terminal.resize(30, 12);
  await terminal.until(/^30x12/m);
  terminal.type('hello\r');
  await terminal.until(/^got hello/m);
  terminal.type(ctrlC);
  expect(await terminal.ended).toEqual({ code: 3, signal: undefined });
  await expect(terminal.until(/never/)).rejects.toThrow('got hello');
});
