import { ToolError } from '../../base/toolError.ts';
import { exitCode } from '../process/exitCode.ts';

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
