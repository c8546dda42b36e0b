import { ToolError } from '../base/toolError.ts';
import { type ExitCode, exitCode, exitCodeOf } from './exitCode.ts';

/**
 * How a command ends. An error that is returned is one that people have read in the result or in messages already; one
 * that is thrown is still to be told.
 */
export type Ending = typeof exitCode.ok | typeof exitCode.changes | ToolError;

/** The exit code of what a command returned, or of anything that it threw. */
export function exitCodeOfEnding(ended: unknown): ExitCode {
  if (ended === exitCode.ok || ended === exitCode.changes) return ended;
  return ended instanceof ToolError ? exitCodeOf(ended.code) : exitCode.failed;
}

/**
 * The ending of a command where the process ends before it: by a signal, or because something ended it that must not.
 */
export function cutShort(code: number): Error {
  if (code !== exitCode.interrupted) return new Error('the process was ended');
  return new ToolError({
    code: 'cli.interrupted',
    message: 'interrupted before the command ended; requests in flight may have taken effect',
    hint: 'Run the same command again to continue.',
  });
}
