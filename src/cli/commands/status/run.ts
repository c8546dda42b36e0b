import { systemClock } from '../../../apply/port/systemClock.ts';
import { ToolError } from '../../../base/toolError.ts';
import { statusToJson } from '../../../change/documents/statusToJson.ts';
import { type StackStatus, stateOf } from '../../../change/status/status.ts';
import { namedStacks, type OwnedStack } from '../../../gantry/loading/namedStack.ts';
import { readStatus } from '../../../gantry/reading/readStatus.ts';
import { watchStatus } from '../../../gantry/reading/watchStatus.ts';
import { openPlatform, type Platform } from '../../../project/platform/platform.ts';
import type { Ending } from '../../../terminal/answer/ending.ts';
import { show } from '../../../terminal/answer/show.ts';
import type { CommandContext } from '../../../terminal/line/context.ts';
import type { AllOption, GlobalOptions } from '../../../terminal/line/options.ts';
import { UsageError } from '../../../terminal/line/usageError.ts';
import { exitCode } from '../../../terminal/process/exitCode.ts';
import { listenForInterrupt } from '../../../terminal/process/interrupt.ts';
import { eachStack } from '../../line/eachStack.ts';
import { renderStatus } from './text.ts';
import { openWatchDisplay } from './watchDisplay.ts';

export interface StatusOptions extends GlobalOptions, AllOption {
  readonly watch: boolean;
  /** In milliseconds: how long to watch; undefined: as long as it takes. */
  readonly waitTimeout?: number;
}

type StatusContext = CommandContext<StatusOptions>;

/** How a stack is now, whatever its code says. Nothing is written. */
export async function runStatus(context: StatusContext, paths: readonly string[]): Promise<Ending> {
  const { options } = context;
  if (options.waitTimeout !== undefined && !options.watch) {
    throw new UsageError('--wait-timeout has no effect without --watch', 'Add --watch, or leave out --wait-timeout.');
  }
  const { all } = options;
  const { stacks, settings } = await namedStacks(context, paths, { values: 'unread', all }); // it looks at no value
  const platform = await openPlatform(context, settings);
  try {
    return await eachStack(stacks, context, options.watch, (stack, each) => showStatus(stack, platform, each));
  } finally {
    await platform.close();
  }
}

async function showStatus(stack: OwnedStack, platform: Platform, context: StatusContext): Promise<Ending> {
  const { options, terminal } = context;
  const { status, interrupted } = options.watch
    ? await watch(platform, stack, context)
    : { status: await readStatus(platform, stack), interrupted: false };
  const look = { palette: terminal.palette, columns: terminal.resultColumns() };
  await show(context, { text: () => renderStatus(status, look), document: () => statusToJson(status) });
  if (options.watch && !interrupted && stateOf(status) === 'not-ready') terminal.message(timedOut);
  return interrupted ? notWatched() : endingOf(status);
}

const timedOut = 'Stopped watching after --wait-timeout: something is not ready yet.';

function notWatched(): ToolError {
  return new ToolError({
    code: 'cli.interrupted',
    message: 'interrupted before everything was ready or failed',
    hint: 'This is the last status that was read. Run the same command again to continue watching.',
  });
}

function endingOf(status: StackStatus): Ending {
  const state = stateOf(status);
  if (state !== 'failed') return state === 'ready' ? exitCode.ok : exitCode.changes;
  const failed = status.resources.filter((each) => each.state === 'failed');
  return new ToolError({
    code: 'status.failed',
    message: failed.length === 0 ? 'nothing belongs to this stack' : `failed: ${failed.map(({ id }) => id).join(', ')}`,
    hint:
      failed.length === 0
        ? 'Check --stack, and the org.'
        : 'The reasons are listed with each resource. gantry apply creates what is absent.',
    causes: failed.map(({ id, health, reasons }) => ({
      code: 'status.failed',
      message: reasons.join('; ') || health,
      resource: id,
    })),
  });
}

interface Watched {
  readonly status: StackStatus;
  readonly interrupted: boolean;
}

async function watch(
  platform: Platform,
  stack: OwnedStack,
  { terminal, now, options }: StatusContext,
): Promise<Watched> {
  const display = openWatchDisplay(terminal, now);
  const interrupt = listenForInterrupt(() => platform.client.stopRetrying());
  try {
    const status = await watchStatus({
      read: () => readStatus(platform, stack),
      show: display.show,
      clock: systemClock,
      signal: interrupt.signal,
      timeoutMs: options.waitTimeout,
    });
    return { status, interrupted: interrupt.signal.aborted };
  } finally {
    display.close();
    interrupt.release();
  }
}
