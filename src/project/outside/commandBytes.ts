import { spawn } from 'node:child_process';
import { uninterrupted } from '../session/interruptible.ts';
import { longestValue } from './fileBytes.ts';
import type { OutsideOptions, Unreadable } from './reading.ts';

const longestSeconds = 30;
/** For a program to end after it was asked to. */
const graceSeconds = 2;

/**
 * What a program writes to standard output, without a shell; its standard error is that of Gantry, it has no standard
 * input, and it ends before Gantry does.
 */
export function commandBytes(
  [program = '', ...args]: readonly string[],
  { folder, environment, interruptible = uninterrupted }: OutsideOptions,
): Promise<Buffer | Unreadable> {
  return new Promise((resolve, reject) => {
    const interruption = interruptible(() => stop(undefined)); // before it starts, so that it never outlives us
    const child = spawn(program, args, { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
    const chunks: Buffer[] = [];
    let length = 0;
    let stopped: Unreadable | undefined;
    let grace: NodeJS.Timeout | undefined;
    let ended = false;

    function stop(reason: Unreadable | undefined): void {
      stopped ??= reason;
      child.kill('SIGTERM');
      grace ??= setTimeout(() => child.kill('SIGKILL'), graceSeconds * 1_000);
    }
    function end(result: Buffer | Unreadable): void {
      if (ended) return;
      ended = true;
      clearTimeout(deadline);
      clearTimeout(grace);
      child.stdout.destroy();
      interruption.end().then(() => resolve(result), reject);
    }

    const deadline = setTimeout(
      () => stop(failed(program, `took more than ${longestSeconds} s`)),
      longestSeconds * 1_000,
    );
    child.stdout.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > longestValue) stop(failed(program, 'wrote more than 1 MiB'));
      else chunks.push(chunk);
    });
    child.on('error', () => end(failed(program, 'cannot be started')));
    // After a stop nobody waits for programs of that program, which may still hold its output.
    child.on('exit', () => {
      if (interruption.isInterrupted()) end(failed(program, 'was interrupted'));
      else if (stopped !== undefined) end(stopped);
    });
    child.on('close', (code, signal) => {
      if (code === 0) end(stopped ?? Buffer.concat(chunks));
      else end(stopped ?? failed(program, code === null ? `was ended by ${signal}` : `ended with exit code ${code}`));
    });
  });
}

/** Only the program is named: its arguments and its output may be secret. */
function failed(program: string, what: string): Unreadable {
  return {
    rule: 'value.command',
    message: `${program} ${what}`,
    hint: 'It runs in the project folder, without a shell; its standard error is shown above.',
  };
}
