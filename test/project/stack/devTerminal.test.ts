import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  ctrlC,
  gantry,
  type PseudoTerminal,
  startInTerminal,
  startProgramInTerminal,
} from '../../harness/pseudoTerminal.ts';
import { makeStackFolder, type StackFolder } from './stackFolder.ts';

let folder: StackFolder;
let terminal: PseudoTerminal | undefined;
beforeEach(() => {
  folder = makeStackFolder();
});
afterEach(async () => {
  await terminal?.close();
  folder.remove();
});

function gvcs(names: readonly string[]): string {
  return `import { App, Gvc, Stack } from 'gantry';
const app = new App();
const stack = new Stack(app, 'shop');
for (const name of ${JSON.stringify(names)}) new Gvc(stack, name);
`;
}

test('on a terminal each round replaces the one before, at any size; Ctrl-C leaves only the last one', async () => {
  folder.write('stack.ts', gvcs(['one', 'two']));
  const columns = 100;
  terminal = startProgramInTerminal('/bin/sh', ['-c', 'echo before; exec "$@"', 'sh', ...gantry, 'dev'], {
    cwd: folder.path,
    columns,
    rows: 30,
    env: { NO_COLOR: '1' },
  });
  const { screen } = terminal;
  await terminal.until(/Watching \d+ files?\. Ctrl-C ends\.$/);
  expect(screen.lines[0]).toMatch(/^gantry dev {2}\d\d:\d\d:\d\d {2}started; planned in \d+\.\d\d s$/);
  expect(screen.text).toContain('gvc/two');
  expect(screen.scrolledOff).toEqual(['before', '']);

  folder.write('stack.ts', gvcs(['one']));
  await terminal.until(/stack\.ts changed; planned/);
  await terminal.until(/Ctrl-C ends\.$/);
  expect(screen.text).toContain('gvc/one');
  expect(screen.text).not.toContain('gvc/two');
  const whole = screen.text.split('\n').slice(1).join('\n');

  terminal.resize(40, 8);
  const { length: scrolledByTerminal } = screen.scrolledOff; // Terminals drop lines that no longer fit.
  await terminal.until(/… and \d+ more lines\n\nWatching \d+ files?\. Ctrl-C ends\.$/);
  expect(screen.lines.filter((line) => line.includes('gantry dev'))).toHaveLength(1);
  terminal.resize(columns, 30);
  await terminal.until(({ text }) => text.endsWith(whole));
  expect(screen.scrolledOff).toHaveLength(scrolledByTerminal);

  terminal.type(ctrlC);
  expect(await terminal.ended).toEqual({ code: 0, signal: undefined });
  const rest = whole.slice(0, whole.lastIndexOf('\n\n'));
  expect(screen.text.slice(screen.text.indexOf('\n') + 1)).toBe(rest);
  expect(screen.cursor).toEqual({ row: screen.text.split('\n').length, column: 0 });
  expect([screen.isCursorVisible, screen.isAlternate]).toEqual([true, false]);
});

test('a stack that does not end is announced, and Ctrl-C removes the announcement', async () => {
  folder.write('stack.ts', 'for (;;);\n');
  terminal = startInTerminal(['dev'], { cwd: folder.path, env: { NO_COLOR: '1' } });
  await terminal.until(/^Running and planning the stack … {2}Ctrl-C ends\.$/);
  terminal.type(ctrlC);
  expect(await terminal.ended).toEqual({ code: 0, signal: undefined });
  expect(terminal.screen.text).toBe('');
});
