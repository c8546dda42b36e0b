import { hostname, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolError } from '../../../base/toolError.ts';
import { defaultData } from '../../../project/settings/resolveSettings.ts';
import type { StackSummary } from '../../../reconcile/model.ts';
import { openBoard } from '../../../reconcile/store/board.ts';
import { openStore, type StoreAddress } from '../../../reconcile/store/openStore.ts';
import { borrowBoard, type CommandBoard } from '../../../reconcile/store/remoteBoard.ts';
import type { CommandContext } from '../../../terminal/context.ts';
import type { OutputOptions } from '../../../terminal/options.ts';
import { UsageError } from '../../../terminal/usageError.ts';
import type { StoreOptions } from './options.ts';

/** From the option, else `GANTRY_RECONCILE_STORE`, else a folder. */
export function storeAddress({
  options,
  environment,
  cwd,
}: Pick<CommandContext<OutputOptions & StoreOptions>, 'options' | 'environment' | 'cwd'>): StoreAddress {
  const url = options.store ?? (environment['GANTRY_RECONCILE_STORE'] || undefined);
  if (url === undefined)
    return { kind: 'folder', folder: join(resolve(cwd, options.data ?? defaultData), 'reconcile') };
  if (!URL.canParse(url) || !/^postgres(ql)?:$/.test(new URL(url).protocol))
    throw new UsageError(
      'the store is not a URL that begins with postgres://',
      'Give --store postgres://host/database.',
    );
  return { kind: 'postgres', url };
}

/** Uses the board of the worker that locks the folder, or else the store itself. */
export async function onBoard<T>(
  context: CommandContext<OutputOptions & StoreOptions>,
  work: (board: CommandBoard) => Promise<T>,
): Promise<T> {
  const address = storeAddress(context);
  const opened = await borrowOrOpen(address, context.terminal.message);
  if ('board' in opened) return work(opened.board);
  const { store } = opened;
  try {
    const board = await openBoard(store);
    try {
      return await work(board);
    } finally {
      await board.close();
    }
  } finally {
    await store.close();
  }
}

/** A worker that has just locked the folder does not answer yet. */
const startsWithinMs = 20_000;
const againMs = 200;

async function borrowOrOpen(address: StoreAddress, tell: (text: string) => void) {
  const startedMs = performance.now();
  for (;;) {
    const board = address.kind === 'folder' ? await borrowBoard(address.folder) : undefined;
    if (board !== undefined) return { board };
    try {
      return { store: await openStore(address, { tell }) };
    } catch (error) {
      const isLocked = error instanceof ToolError && error.code === 'reconcile.locked';
      if (!isLocked || performance.now() - startedMs > startsWithinMs) throw error;
      await sleep(againMs);
    }
  }
}

/** Errors: `reconcile.unknown`. */
export async function chosenStacks(board: CommandBoard, names: readonly string[]): Promise<readonly StackSummary[]> {
  const stacks = await board.list();
  const unknown = names.filter((name) => !stacks.some(({ entry }) => entry.name === name));
  if (unknown.length > 0) {
    throw new ToolError({
      code: 'reconcile.unknown',
      message: `there is no stack ${unknown.join(', ')}`,
      hint: 'List the stacks with gantry reconcile status.',
    });
  }
  return names.length === 0 ? stacks : stacks.filter(({ entry }) => names.includes(entry.name));
}

/** The name recorded for actions on this machine. */
export function thisUser(): string {
  return `${userInfo().username}@${hostname()}`;
}
