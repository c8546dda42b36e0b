import type { CommanderError } from 'commander';
import { ToolError } from '../errors.ts';

const seeHelp = 'See gantry --help.';

/** Flags that contradict each other, or one that is missing. */
export class UsageError extends ToolError {
  constructor(message: string, hint = seeHelp) {
    super({ code: 'cli.usage', message, hint });
  }
}

/** What commander says of a command line, in our form: `error: unknown option '--plna'\n(Did you mean --plan?)`. */
export function wrongCommandLine({ code, message }: CommanderError): UsageError {
  if (code === 'commander.help') return new UsageError('no command is given');
  const [first = '', suggestion] = message.replace(/^error: /, '').split('\n');
  return new UsageError(first, suggestion === undefined ? seeHelp : suggestion.replace(/^\((.*)\)$/, '$1'));
}
