import type { Pause, StackEntry, StackState, StackSummary } from '../model.ts';

/** Whether the pause is in force. */
export function isPaused(pause: Pause | undefined, nowMs: number): pause is Pause {
  return pause !== undefined && (pause.untilMs === undefined || pause.untilMs > nowMs);
}

/**
 * The reason why a stack must not be written now because of the stacks before it; undefined if it may be. Unknown
 * stacks do not hold it.
 */
export function heldBy(
  { after }: Pick<StackEntry, 'after'>,
  others: ReadonlyMap<string, Pick<StackSummary, 'state'>>,
): string | undefined {
  const reasons = after.flatMap((name) => {
    const other = others.get(name);
    return other === undefined || other.state.state === 'in line' ? [] : [`${name}, ${holdWords[other.state.state]}`];
  });
  return reasons.length === 0 ? undefined : `it comes after ${reasons.join('; and after ')}`;
}

const holdWords: Readonly<Record<StackState['state'], string>> = {
  new: 'which has not run yet',
  'in line': 'which is in line',
  drifted: 'which is not as its code says',
  waiting: 'which waits',
  failing: 'which fails',
  paused: 'which is paused',
  running: 'which is running',
};
