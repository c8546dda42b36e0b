import type { CommandBoard } from '../../../reconcile/store/remoteBoard.ts';
import type { Ending } from '../../../terminal/answer/ending.ts';
import { show } from '../../../terminal/answer/show.ts';
import type { CommandContext } from '../../../terminal/line/context.ts';
import { UsageError } from '../../../terminal/line/usageError.ts';
import { exitCode } from '../../../terminal/process/exitCode.ts';
import { chosenStacks, onBoard, thisUser } from './openBoard.ts';
import type { BoardOptions, PauseOptions } from './options.ts';
import { statusDocument } from './schema.ts';
import { renderStatus } from './statusText.ts';

/** Does something with stacks, and shows how they are afterwards. */
function after(
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
  return after(context, names, async () => {});
}

export function askNow(context: CommandContext<BoardOptions>, names: readonly string[]): Promise<Ending> {
  return after(context, names, async (board) => {
    for (const name of names) await board.now(name, thisUser());
  });
}

export async function pauseStack(context: CommandContext<PauseOptions>, stack: string): Promise<Ending> {
  const { reason, for: forMs } = context.options;
  if (reason === undefined) throw new UsageError('a pause needs a reason', 'Add --reason TEXT: everybody sees it.');
  const until = forMs === undefined ? {} : { untilMs: Date.now() + forMs };
  return after(context, [stack], (board) => board.pause(stack, { reason, ...until, by: thisUser() }));
}

export function resumeStack(context: CommandContext<BoardOptions>, stack: string): Promise<Ending> {
  return after(context, [stack], (board) => board.resume(stack, thisUser()));
}
