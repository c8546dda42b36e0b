import { ToolError } from '../../base/toolError.ts';
import { type ExitCode, exitCode, exitCodeOf } from '../process/exitCode.ts';

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
