import { ToolError } from '../../errors/toolError.ts';

/** Flags that contradict each other, or one that is missing. */
export class UsageError extends ToolError {
  constructor(message: string, hint = 'See gantry --help.') {
    super({ code: 'cli.usage', message, hint });
  }
}

export function twoPlatforms(): UsageError {
  return new UsageError('--embedded and --endpoint exclude each other', 'Leave out one of the two.');
}
