import { namedStacks, type OwnedStack } from '../../../automation/loading/namedStack.ts';
import { openPlatform, type Platform } from '../../../automation/platform/platform.ts';
import { readDrift } from '../../../automation/reading/readDrift.ts';
import { phase } from '../../../automation/session/tracing.ts';
import { driftToJson } from '../../../plan/documents/driftToJson.ts';
import { hasDrift, isDrifted } from '../../../plan/drift/drift.ts';
import type { Ending } from '../../answer/ending.ts';
import { show } from '../../answer/show.ts';
import type { CommandContext } from '../../line/context.ts';
import { eachStack } from '../../line/eachStack.ts';
import type { AllOption, GlobalOptions, NotifyOptions } from '../../line/options.ts';
import { observed } from '../../observing/observed.ts';
import { exitCode } from '../../process/exitCode.ts';
import { renderDrift } from './text.ts';

export interface DriftOptions extends GlobalOptions, NotifyOptions, AllOption {
  readonly detailedExitcode: boolean;
}

type DriftCommandContext = CommandContext<DriftOptions>;

/** What others changed since a stack last wrote it, whether or not the code changed. Nothing is written. */
export function runDrift(context: DriftCommandContext, paths: readonly string[]): Promise<Ending> {
  return observed(context, 'drift', (each) => showDrift(each, paths));
}

async function showDrift(context: DriftCommandContext, paths: readonly string[]): Promise<Ending> {
  const { all } = context.options;
  const { stacks, settings } = await phase(context, 'load', () => namedStacks(context, paths, { all }));
  const platform = await openPlatform(context, settings);
  try {
    return await eachStack(stacks, context, false, (stack, each) => driftOf(stack, platform, each));
  } finally {
    await platform.close();
  }
}

async function driftOf(stack: OwnedStack, platform: Platform, context: DriftCommandContext): Promise<Ending> {
  const { options, terminal } = context;
  const drift = await phase(context, 'read', () => readDrift(platform, stack));
  const drifted = drift.records.filter(isDrifted).length;
  context.onStack?.({ org: drift.org, stack: drift.stack, drifted });
  await show(context, { text: () => renderDrift(drift, terminal.palette), document: () => driftToJson(drift) });
  return options.detailedExitcode && hasDrift(drift) ? exitCode.changes : exitCode.ok;
}
