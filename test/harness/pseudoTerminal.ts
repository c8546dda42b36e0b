import { spawn } from '@lydell/node-pty';
import { compileCache } from '../compileCache.ts';
import { TerminalScreen } from './terminalScreen.ts';

/** The built command line: a program, and its first arguments. */
export const gantry = [process.execPath, new URL('../../dist/cli.js', import.meta.url).pathname] as const;

export interface PseudoTerminalOptions {
  readonly cwd: string;
  /** Besides `PATH`, `HOME` (which is `cwd`), `TERM` and the cache of compiled code. */
  readonly env?: Readonly<Record<string, string>>;
  /** @default 80 */
  readonly columns?: number;
  /** @default 24 */
  readonly rows?: number;
}

/** A program that runs in a terminal, as a person sees and operates it. */
export interface PseudoTerminal {
  readonly screen: TerminalScreen;
  /** Every byte of the program's output, with its colours. */
  readonly written: string;
  /** Keys: text, `'\r'` for Enter, `ctrlC`. */
  type(keys: string): void;
  resize(columns: number, rows: number): void;
  /** Waits until the text of the screen matches. Fails with the screen if the program ends first, or after a minute. */
  until(what: RegExp | ((screen: TerminalScreen) => boolean)): Promise<void>;
  /** The end of the program, after all of its output. */
  readonly ended: Promise<{ readonly code: number; readonly signal: number | undefined }>;
  /** For the end of a test: kills the program immediately, if it has not ended. */
  close(): Promise<void>;
}

/** Much shorter than the timeout of the test, so that its error contains the screen. */
const patientMs = 60_000;

export const ctrlC = '\u0003';

/** `gantry …` in a terminal, without settings of this machine. */
export function startInTerminal(args: readonly string[], options: PseudoTerminalOptions): PseudoTerminal {
  const [program, main] = gantry;
  return startProgramInTerminal(program, [main, ...args], options);
}

/** Any program in a terminal. */
export function startProgramInTerminal(
  program: string,
  args: readonly string[],
  { cwd, env = {}, columns = 80, rows = 24 }: PseudoTerminalOptions,
): PseudoTerminal {
  const terminal = spawn(program, [...args], {
    name: 'xterm-256color',
    cols: columns,
    rows,
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, ...compileCache, ...env },
  });
  const screen = new TerminalScreen(columns, rows);
  const waiting = new Set<() => void>();
  let hasEnded = false;
  let written = '';
  const ended = new Promise<{ readonly code: number; readonly signal: number | undefined }>((resolve) => {
    terminal.onExit(({ exitCode, signal }) => {
      hasEnded = true;
      resolve({ code: exitCode, signal: signal === 0 ? undefined : signal });
      for (const look of waiting) look();
    });
  });
  terminal.onData((text) => {
    written += text;
    screen.write(text);
    for (const look of waiting) look();
  });
  return {
    screen,
    get written() {
      return written;
    },
    ended,
    type: (keys) => terminal.write(keys),
    resize(wide, high) {
      screen.resize(wide, high);
      terminal.resize(wide, high);
    },
    until: (what) =>
      new Promise((resolve, reject) => {
        function look(): void {
          if (typeof what === 'function' ? what(screen) : what.test(screen.text)) end(resolve);
          else if (hasEnded) end(() => reject(failure('the program has ended')));
        }
        function end(then: () => void): void {
          clearTimeout(timer);
          waiting.delete(look);
          then();
        }
        function failure(why: string): Error {
          return new Error(`${why}, and the screen is not as expected (${what}):\n${screen.text}`);
        }
        const timer = setTimeout(() => end(() => reject(failure('much time has passed'))), patientMs);
        waiting.add(look);
        look();
      }),
    async close() {
      if (!hasEnded) terminal.kill('SIGKILL');
      await ended;
    },
  };
}
