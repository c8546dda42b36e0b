import type { Planned } from '../../../automation/planning/planFromPlatform.ts';
import { rehearsePlanned } from '../../../automation/planning/rehearsePlanned.ts';
import { isRefused } from '../../../plan/model/planState.ts';
import type { Rehearsal } from '../../../rehearsal/rehearsal.ts';
import type { SavedState } from '../../../rehearsal/savedState.ts';
import type { CommandContext } from '../../line/context.ts';
import type { PlanCommandOptions } from './options.ts';

/**
 * Undefined: it was not asked for, or the plan is refused, which is said. `given`: the live state, where a file holds
 * it.
 */
export async function rehearsePlan(
  planned: Planned,
  given: SavedState | undefined,
  context: CommandContext<PlanCommandOptions>,
): Promise<Rehearsal | undefined> {
  const { terminal, options: asked } = context;
  if (asked.rehearse === undefined) return undefined;
  if (isRefused(planned.plan)) {
    terminal.message('The plan is refused, so it was not rehearsed.');
    return undefined;
  }
  const progress = progressOf(context);
  try {
    return await rehearsePlanned(planned, {
      crash: asked.rehearse === 'crash',
      onPoint: progress.onPoint,
      ...(given === undefined ? {} : { base: given.base }),
    });
  } finally {
    progress.close();
  }
}

const frameMs = 100;

/** One line that is drawn over, on a terminal only. */
function progressOf({ terminal, now }: CommandContext<PlanCommandOptions>) {
  let drawnMs = Number.NEGATIVE_INFINITY;
  return {
    onPoint(tried: number, of: number): void {
      if (!terminal.live || now() - drawnMs < frameMs) return;
      drawnMs = now();
      terminal.draw(`\r\u001b[2KRehearsing: ${tried} of ${of} interruption points`);
    },
    close(): void {
      if (drawnMs > Number.NEGATIVE_INFINITY) terminal.draw('\r\u001b[2K');
    },
  };
}
