import { driftDocument, driftToJson } from '../../change/documents/driftDocument.ts';
import { type Drift, hasDrift } from '../../change/drift.ts';
import { openNamed } from '../../gantry/loading/openStacks.ts';
import { driftOf } from '../../gantry/read.ts';
import { lineDiff } from '../../report/lineDiff.ts';
import { driftTree } from '../../report/tree/drift.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import type { AllOption, GlobalOptions, NotifyOptions } from '../../terminal/options.ts';
import { show } from '../../terminal/show.ts';
import { renderTree, type TreeStyle } from '../output/treeText.ts';
import { eachStack } from '../steps/eachStack.ts';
import { withTraceAndNotices } from '../steps/observed.ts';

export interface DriftOptions extends GlobalOptions, NotifyOptions, AllOption {
  readonly detailedExitcode: boolean;
}

type DriftCommandContext = CommandContext<DriftOptions>;

/** Shows changes by others since a stack last wrote its records, whether or not the code changed. Writes nothing. */
export function runDrift(context: DriftCommandContext, paths: readonly string[]): Promise<Ending> {
  return withTraceAndNotices(context, 'drift', (each) => showDrift(each, paths));
}

async function showDrift(context: DriftCommandContext, paths: readonly string[]): Promise<Ending> {
  const { options, terminal } = context;
  await using opened = await openNamed(context, paths, options);
  const { stacks, platform } = opened;
  return await eachStack(stacks, context, { count: stacks.length, isPaged: true }, async (stack, each) => {
    const drift = await driftOf(each, platform, stack);
    const look = { palette: terminal.palette, width: terminal.resultColumns() };
    await show(each, { text: () => renderDrift(drift, look), document: () => driftToJson(drift) });
    return options.detailedExitcode && hasDrift(drift) ? exitCode.changes : exitCode.ok;
  });
}

export function renderDrift(drift: Drift, look: Pick<TreeStyle, 'palette' | 'width'>): string {
  return renderTree(driftTree(driftDocument(drift)), { ...look, lineDiff });
}
