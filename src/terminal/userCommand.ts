import { spawn } from 'node:child_process';
import { leavingInterrupts } from './interrupt.ts';

interface UserCommand {
  /** A line of the shell. */
  readonly line: string;
  readonly cwd?: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absent: standard input is that of this process. */
  readonly input?: string;
}

/** Its end: its exit code, or a signal. */
export type UserEnd = number | NodeJS.Signals;

const noSuchCommand = 127;

/** Runs a command of the user's choice, which has the terminal until it ends: Ctrl-C is for it alone. */
export function runUserCommand({ line, cwd, environment, input }: UserCommand): Promise<UserEnd> {
  // A shell that is not told so ends after Ctrl-C too, with an error, when its command goes on.
  const command = process.platform === 'win32' ? line : `trap : INT; ${line}`;
  return leavingInterrupts(() => {
    const stdin = input === undefined ? 'inherit' : 'pipe';
    const child = spawn(command, { shell: true, stdio: [stdin, 'inherit', 'inherit'], cwd, env: { ...environment } });
    child.stdin?.on('error', () => {}); // it reads no more, as it may
    child.stdin?.end(input);
    return new Promise((resolve) => {
      child.once('error', () => resolve(noSuchCommand));
      child.once('exit', (code, signal) => resolve(signal ?? code ?? 0));
    });
  });
}
