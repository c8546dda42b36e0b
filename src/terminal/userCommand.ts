import { spawn } from 'node:child_process';
import { leavingInterrupts } from './interrupt.ts';

interface UserCommand {
  /** A command line for the shell. */
  readonly line: string;
  readonly cwd?: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** If absent, standard input is that of this process. */
  readonly input?: string;
}

/** The exit code, or a signal. */
export type UserEnd = number | NodeJS.Signals;

const noSuchCommand = 127;

/** Runs a command of the user's choice, which has the terminal until it ends: only it handles Ctrl-C. */
export function runUserCommand({ line, cwd, environment, input }: UserCommand): Promise<UserEnd> {
  // Without this trap, the shell would also end after Ctrl-C, with an error, while its command continues.
  const command = process.platform === 'win32' ? line : `trap : INT; ${line}`;
  return leavingInterrupts(() => {
    const stdin = input === undefined ? 'inherit' : 'pipe';
    const child = spawn(command, { shell: true, stdio: [stdin, 'inherit', 'inherit'], cwd, env: { ...environment } });
    child.stdin?.on('error', () => {}); // the command may stop reading
    child.stdin?.end(input);
    return new Promise((resolve) => {
      child.once('error', () => resolve(noSuchCommand));
      child.once('exit', (code, signal) => resolve(signal ?? code ?? 0));
    });
  });
}
