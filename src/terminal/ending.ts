import { ToolError } from '../base/toolError.ts';
import { type ExitCode, exitCode, exitCodeOf } from './exitCode.ts';

/**
 * How a command ends. A returned error was already shown in the result or in messages; a thrown one is still to be
 * reported.
 */
export type Ending = typeof exitCode.ok | typeof exitCode.changes | ToolError;

/** The exit code for a returned or thrown value. */
export function exitCodeOfEnding(ended: unknown): ExitCode {
  if (ended === exitCode.ok || ended === exitCode.changes) return ended;
  return ended instanceof ToolError ? exitCodeOf(ended.code) : exitCode.failed;
}

/** The ending of a command whose process ends first: by a signal, or by an improper exit. */
export function cutShort(code: number): Error {
  if (code !== exitCode.interrupted) return new Error('the process was ended');
  return new ToolError({
    code: 'cli.interrupted',
    message: 'interrupted before the command ended; requests in flight may have taken effect',
    hint: 'Run the same command again to continue.',
  });
}
