import type { StackEntry } from '../model.ts';

const firstBackOffMs = 15_000;

/** When a stack runs again. `failures`: in a row, that of this run included. `random`: in [0, 1). */
export function nextRunMs(
  { intervalMs, jitterMs }: Pick<StackEntry, 'intervalMs' | 'jitterMs'>,
  { nowMs, failures, random }: { readonly nowMs: number; readonly failures: number; readonly random: number },
): number {
  const waitMs = failures === 0 ? intervalMs : Math.min(intervalMs, firstBackOffMs * 2 ** Math.min(failures - 1, 16));
  return Math.round(nowMs + waitMs + jitterMs * random);
}
