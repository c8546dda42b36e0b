import type { NotifyingCommand } from '../../automation/notifying/notification.ts';
import type { Ending } from '../answer/ending.ts';
import type { CommandContext } from '../line/context.ts';
import type { GlobalOptions, NotifyOptions } from '../line/options.ts';
import { notified } from '../notifying/notified.ts';
import { traced } from './traced.ts';

/** Runs a command for others to see: its trace, and how it ended. */
export function observed<Context extends CommandContext<GlobalOptions & NotifyOptions>>(
  context: Context,
  command: NotifyingCommand,
  run: (context: Context) => Promise<Ending>,
): Promise<Ending> {
  return notified(context, command, (told) => traced(told, command, run));
}
