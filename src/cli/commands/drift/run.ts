import { namedStack } from '../../../automation/loading/namedStack.ts';
import { openPlatform } from '../../../automation/platform/platform.ts';
import { readDrift } from '../../../automation/reading/readDrift.ts';
import { phase } from '../../../automation/session/tracing.ts';
import { driftToJson } from '../../../plan/documents/driftToJson.ts';
import { hasDrift, isDrifted } from '../../../plan/drift/drift.ts';
import type { Ending } from '../../answer/ending.ts';
import { show } from '../../answer/show.ts';
import type { CommandContext } from '../../line/context.ts';
import type { GlobalOptions, NotifyOptions } from '../../line/options.ts';
import { observed } from '../../observing/observed.ts';
import { exitCode } from '../../process/exitCode.ts';
import { renderDrift } from './text.ts';

export interface DriftOptions extends GlobalOptions, NotifyOptions {
  readonly detailedExitcode: boolean;
}

type DriftCommandContext = CommandContext<DriftOptions>;

/** What others changed since this stack last wrote it, whether or not the code changed. Nothing is written. */
export function runDrift(context: DriftCommandContext, paths: readonly string[]): Promise<Ending> {
  return observed(context, 'drift', (each) => showDrift(each, paths));
}

async function showDrift(context: DriftCommandContext, paths: readonly string[]): Promise<Ending> {
  const stack = await phase(context, 'load', () => namedStack(context, paths));
  const { options, terminal } = context;
  const platform = await openPlatform(context, stack.settings);
  try {
    const drift = await phase(context, 'read', () => readDrift(platform, stack));
    const drifted = drift.records.filter(isDrifted).length;
    context.onStack?.({ org: drift.org, stack: drift.stack, drifted });
    await show(context, { text: () => renderDrift(drift, terminal.palette), document: () => driftToJson(drift) });
    return options.detailedExitcode && hasDrift(drift) ? exitCode.changes : exitCode.ok;
  } finally {
    await platform.close();
  }
}
