import type { Plan } from '../../plan/model/plan.ts';
import { isRefused } from '../../plan/model/planState.ts';
import type { RehearsalInput } from '../../rehearsal/input.ts';
import type { Rehearsal } from '../../rehearsal/rehearsal.ts';
import type { CommandContext } from '../../terminal/line/context.ts';
import type { GlobalOptions, RehearseOption } from '../../terminal/line/options.ts';

type Context = CommandContext<GlobalOptions & RehearseOption>;
type Rehearse = (how: Pick<RehearsalInput, 'crash' | 'onPoint'>) => Promise<Rehearsal>;

/** Undefined: it was not asked for, or the plan is refused, which is said. */
export async function rehearseIfAsked(
  plan: Plan,
  context: Context,
  rehearse: Rehearse,
): Promise<Rehearsal | undefined> {
  const { terminal, options: asked } = context;
  if (asked.rehearse === undefined) return undefined;
  if (isRefused(plan)) {
    terminal.message('The plan is refused, so it was not rehearsed.');
    return undefined;
  }
  const progress = progressOf(context);
  try {
    return await rehearse({ crash: asked.rehearse === 'crash', onPoint: progress.onPoint });
  } finally {
    progress.close();
  }
}

const frameMs = 100;

/** One line that is drawn over, on a terminal only. */
function progressOf({ terminal, now }: Context) {
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
