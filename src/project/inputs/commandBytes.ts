import { excessText } from '../session/bounded.ts';
import { endingText, runProgram } from '../session/runProgram.ts';
import { longestValue, type OutsideOptions, type Unreadable } from './fileBytes.ts';

const mostMs = 30_000;

/**
 * The standard output of a program, run without a shell. Its standard error is Gantry's; it has no standard input, and
 * ends before Gantry does.
 */
export async function commandBytes(
  [program = '', ...args]: readonly string[],
  { folder, environment, interruptible }: OutsideOptions,
): Promise<Buffer | Unreadable> {
  const run = await runProgram(program, args, {
    cwd: folder,
    environment,
    interruptible,
    mostMs,
    mostOutput: longestValue,
    showsErrors: true,
  });
  if (run.error !== undefined) return failed(program, 'cannot be started');
  if (run.stopped === 'time') return failed(program, excessText.time(mostMs));
  if (run.stopped === 'output') return failed(program, excessText.output(longestValue));
  return run.code === 0 ? run.output : failed(program, endingText(run));
}

/** The message names only the program: its arguments and output may be secret. */
function failed(program: string, what: string): Unreadable {
  return {
    rule: 'value.command',
    message: `${program} ${what}`,
    hint: 'It runs in the project folder, without a shell; its standard error is shown above.',
  };
}
