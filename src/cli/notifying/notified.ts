import type { NotifyingCommand } from '../../integrations/notification.ts';
import type { Ending } from '../../terminal/answer/ending.ts';
import type { CommandContext } from '../../terminal/line/context.ts';
import type { GlobalOptions, NotifyOptions } from '../../terminal/line/options.ts';

type NotifyContext = CommandContext<GlobalOptions & NotifyOptions>;

/**
 * Runs a command, and tells the addresses of `--notify` and `GANTRY_NOTIFY` how it ended. What becomes of that is a note:
 * the command ends as it would without it. Errors: `notify.address`, before it begins.
 */
export async function notified<Context extends NotifyContext>(
  context: Context,
  command: NotifyingCommand,
  run: (context: Context) => Promise<Ending>,
): Promise<Ending> {
  const ofEnvironment = (context.environment['GANTRY_NOTIFY'] ?? '').split(/\s+/).filter((each) => each !== '');
  const addresses = [...context.options.notify, ...ofEnvironment];
  if (addresses.length === 0) return run(context);
  const { openNotifier } = await import('./notifier.ts');
  const notifier = openNotifier(addresses, command, context);
  try {
    const ending = await run({ ...context, onStack: notifier.onStack });
    await notifier.tell(ending);
    return ending;
  } catch (error) {
    await notifier.tell(error);
    throw error;
  }
}
