import { ToolError } from '../../errors/toolError.ts';

/** Flags that contradict each other, or one that is missing. */
export class UsageError extends ToolError {
  constructor(message: string, hint = 'See gantry --help.') {
    super({ code: 'cli.usage', message, hint });
  }
}
