import type { Change } from '../../plan/model/change.ts';
import { counted } from '../../schema/text/counted.ts';

/** How many resources an apply waits for, the unchanged ones told apart; no line where there are none. */
export function renderWaits(changes: readonly Change[]): readonly string[] {
  const waiting = changes.filter(({ wait, action }) => wait && action !== 'refuse');
  if (waiting.length === 0) return [];
  const unchanged = waiting.filter(({ action }) => action === 'keep').length;
  const which = unchanged === 0 ? '' : unchanged === waiting.length ? ' (unchanged)' : ` (${unchanged} unchanged)`;
  return [`Apply waits until ${counted(waiting.length, 'workload is', 'workloads are')} ready${which}.`];
}
