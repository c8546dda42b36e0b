import { collectorOf } from '../../integrations/collector.ts';
import { addressesIn } from '../../integrations/hook.ts';
import type { NotifyingCommand } from '../../integrations/notification.ts';
import type { StepEvent } from '../../project/session/event.ts';
import type { Tracing } from '../../project/session/session.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import type { GlobalOptions, NotifyOptions, OutputOptions } from '../../terminal/options.ts';
import { version } from '../../terminal/version.ts';

/** Runs a command with a trace, and with notifications about its end. */
export function withTraceAndNotices<Context extends CommandContext<GlobalOptions & NotifyOptions>>(
  context: Context,
  command: NotifyingCommand,
  run: (context: Context) => Promise<Ending>,
): Promise<Ending> {
  return runNotified(context, command, (told) => runTraced(told, command, run));
}

/**
 * Runs a command as one trace, if the variables of OpenTelemetry name a collector. The result is the same as without
 * one, at most two seconds later; failed exports are reported as a note.
 */
async function runTraced<Context extends CommandContext<OutputOptions>, Result>(
  context: Context,
  command: string,
  run: (context: Context & { readonly tracing?: Tracing }) => Promise<Result>,
): Promise<Result> {
  const { environment, tell } = context;
  const collector = collectorOf(environment);
  if (collector === undefined) return run(context);
  const { openTracing } = await import('../../integrations/openTracing.ts');
  const { tracing, close } = openTracing({ collector, environment, version });
  try {
    return await tracing.phase(`gantry ${command}`, () => run({ ...context, tracing }));
  } finally {
    const text = await close();
    if (text !== undefined) await tell({ type: 'note', text });
  }
}

type NotifyContext = CommandContext<GlobalOptions & NotifyOptions>;

/**
 * Runs a command, and notifies the addresses of `--notify` and `GANTRY_NOTIFY` about its end. Failed notifications are
 * reported as notes; the result is the same as without them. Errors: `notify.address`, before it begins.
 */
async function runNotified<Context extends NotifyContext>(
  context: Context,
  command: NotifyingCommand,
  run: (context: Context) => Promise<Ending>,
): Promise<Ending> {
  const addresses = [...context.options.notify, ...addressesIn(context.environment['GANTRY_NOTIFY'])];
  if (addresses.length === 0) return run(context);
  const { openNotifier } = await import('./notifier.ts');
  const notifier = openNotifier(addresses, command, context);
  try {
    const tell = (event: StepEvent) => {
      notifier.observe(event);
      return context.tell(event);
    };
    const ending = await run({ ...context, tell });
    await notifier.tell(ending);
    return ending;
  } catch (error) {
    await notifier.tell(error);
    throw error;
  }
}
