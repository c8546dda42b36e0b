import type { Tracing } from '../../automation/session/tracing.ts';
import { collectorOf } from '../../automation/tracing/collector.ts';
import type { CommandContext } from '../line/context.ts';
import type { OutputOptions } from '../line/options.ts';
import { version } from '../process/version.ts';

/**
 * Runs a command as one trace, where the variables of OpenTelemetry name a collector. The command ends as it would without
 * one, and at most two seconds later; what was not taken is a note.
 */
export async function traced<Context extends CommandContext<OutputOptions>, Result>(
  context: Context,
  command: string,
  run: (context: Context & { readonly tracing?: Tracing }) => Promise<Result>,
): Promise<Result> {
  const { environment, tell } = context;
  const collector = collectorOf(environment);
  if (collector === undefined) return run(context);
  const { openTracing } = await import('../../automation/tracing/openTracing.ts');
  const { tracing, close } = openTracing({ collector, environment, version });
  try {
    return await tracing.phase(`gantry ${command}`, () => run({ ...context, tracing }));
  } finally {
    const text = await close();
    if (text !== undefined) await tell({ type: 'note', text });
  }
}
