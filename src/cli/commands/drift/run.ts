import { driftDocument, driftToJson } from '../../../change/documents/driftToJson.ts';
import { type Drift, hasDrift } from '../../../change/drift/drift.ts';
import { namedStacks, type OwnedStack } from '../../../gantry/loading/namedStack.ts';
import { readDrift } from '../../../gantry/reading/readDrift.ts';
import { openPlatform, type Platform } from '../../../project/platform/platform.ts';
import { phase } from '../../../project/session/tracing.ts';
import { lineDiff } from '../../../report/model/lineDiff.ts';
import { driftTree } from '../../../report/tree/drift.ts';
import type { Ending } from '../../../terminal/answer/ending.ts';
import { show } from '../../../terminal/answer/show.ts';
import type { CommandContext } from '../../../terminal/line/context.ts';
import type { AllOption, GlobalOptions, NotifyOptions } from '../../../terminal/line/options.ts';
import type { Palette } from '../../../terminal/palette.ts';
import { exitCode } from '../../../terminal/process/exitCode.ts';
import { eachStack } from '../../line/eachStack.ts';
import { observed } from '../../notifying/observed.ts';
import { renderTree } from '../../planText/treeText.ts';

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
    return await eachStack(stacks, context, { count: stacks.length }, (stack, each) => driftOf(stack, platform, each));
  } finally {
    await platform.close();
  }
}

async function driftOf(stack: OwnedStack, platform: Platform, context: DriftCommandContext): Promise<Ending> {
  const { options, terminal } = context;
  const drift = await phase(context, 'read', () => readDrift(platform, stack));
  await context.tell({ type: 'drift', drift });
  await show(context, { text: () => renderDrift(drift, terminal.palette), document: () => driftToJson(drift) });
  return options.detailedExitcode && hasDrift(drift) ? exitCode.changes : exitCode.ok;
}

/** The drift for people. */
export function renderDrift(drift: Drift, palette: Palette): string {
  return renderTree(driftTree(driftDocument(drift)), { palette, lineDiff, width: Number.POSITIVE_INFINITY });
}
