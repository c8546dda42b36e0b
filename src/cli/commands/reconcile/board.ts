import { present } from '../../../base/json/present.ts';
import { counted } from '../../../base/text/counted.ts';
import { minuteOf } from '../../../plan/model/cause.ts';
import type { StackStateName, StackSummary, TargetState } from '../../../reconcile/model.ts';
import type { CommandBoard } from '../../../reconcile/store/remoteBoard.ts';
import type { CommandContext } from '../../../terminal/context.ts';
import type { Ending } from '../../../terminal/ending.ts';
import { exitCode } from '../../../terminal/exitCode.ts';
import type { Palette } from '../../../terminal/palette.ts';
import { printable } from '../../../terminal/printable.ts';
import { show } from '../../../terminal/show.ts';
import { padText, textWidth } from '../../../terminal/textWidth.ts';
import { UsageError } from '../../../terminal/usageError.ts';
import { statusDocument } from '../../schemas/reconcile.ts';
import { chosenStacks, onBoard, thisUser } from './openBoard.ts';
import type { BoardOptions, PauseOptions } from './options.ts';

/** Makes a change to stacks, then shows their status. */
function changeThenShow(
  context: CommandContext<BoardOptions>,
  names: readonly string[],
  work: (board: CommandBoard) => Promise<unknown>,
): Promise<Ending> {
  return onBoard(context, async (board) => {
    await chosenStacks(board, names);
    await work(board);
    await showStacks(context, board, names);
    return exitCode.ok;
  });
}

export async function showStacks(
  context: CommandContext<BoardOptions>,
  board: CommandBoard,
  names: readonly string[],
): Promise<void> {
  const stacks = await chosenStacks(board, names);
  const targets = await board.targets();
  await show(context, {
    text: () => renderStatus(stacks, targets, context.terminal.palette),
    document: () => statusDocument(stacks, targets),
  });
}

export function showStatus(context: CommandContext<BoardOptions>, names: readonly string[]): Promise<Ending> {
  return changeThenShow(context, names, async () => {});
}

export function askNow(context: CommandContext<BoardOptions>, names: readonly string[]): Promise<Ending> {
  return changeThenShow(context, names, async (board) => {
    for (const name of names) await board.now(name, thisUser());
  });
}

export async function pauseStack(context: CommandContext<PauseOptions>, stack: string): Promise<Ending> {
  const { reason, for: forMs } = context.options;
  if (reason === undefined) throw new UsageError('a pause needs a reason', 'Add --reason TEXT: everybody sees it.');
  return changeThenShow(context, [stack], (board) =>
    board.pause(stack, { reason, ...present({ forMs }), by: thisUser() }),
  );
}

export function resumeStack(context: CommandContext<BoardOptions>, stack: string): Promise<Ending> {
  return changeThenShow(context, [stack], (board) => board.resume(stack, thisUser()));
}

const tones: Readonly<Record<StackStateName, 'add' | 'change' | 'remove' | 'faint'>> = {
  new: 'faint',
  'in line': 'add',
  drifted: 'change',
  waiting: 'change',
  failing: 'remove',
  paused: 'faint',
  running: 'faint',
};

/** One line per stack: name, state, reason. Then the notifications that were not accepted. */
export function renderStatus(
  stacks: readonly StackSummary[],
  targets: readonly TargetState[],
  palette: Palette,
): string {
  if (stacks.length === 0) return 'No stacks. List them in reconcile.yaml, and run gantry reconcile.';
  const width = Math.max(...stacks.map(({ entry }) => textWidth(printable(entry.name))));
  const lines = stacks.map(({ entry, state }) => {
    const facts = [
      state.because,
      state.pause?.untilMs === undefined ? undefined : `until ${minuteOf(new Date(state.pause.untilMs).toISOString())}`,
      state.counts === undefined ? undefined : changesText(state.counts),
      state.worstRisk === undefined || state.worstRisk === 'none' ? undefined : `risk: ${state.worstRisk}`,
      state.plan === undefined ? undefined : `plan ${state.plan.slice(0, 12)}`,
    ].filter((fact) => fact !== undefined);
    const name = padText(printable(entry.name), width);
    const shown = palette[tones[state.state]](padText(state.state, longestState));
    return `${palette.strong(name)}  ${shown}  ${padText(entry.mode, 'propose'.length)}  ${facts.map(printable).join('; ')}`.trimEnd();
  });
  return [...lines, ...targets.flatMap((target) => undeliveredLines(target, palette))].join('\n');
}

function undeliveredLines({ name, waiting, failing }: TargetState, palette: Palette): readonly string[] {
  if (failing === undefined) return [];
  const since = new Date(failing.sinceMs).toISOString();
  const many = counted(waiting, 'notification');
  return [palette.remove(printable(`${name}: ${many} not delivered since ${since}: ${failing.because}`))];
}

const longestState = Math.max(...Object.keys(tones).map(({ length }) => length));

function changesText(counts: NonNullable<StackSummary['state']['counts']>): string {
  const parts = Object.entries(counts).filter(([action, count]) => action !== 'keep' && count > 0);
  return parts.map(([action, count]) => `${action} ${count}`).join(', ');
}
