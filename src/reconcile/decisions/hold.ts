import type { Pause, StackEntry, StackState, StackSummary } from '../model.ts';

/** Is a pause over? */
export function isPaused(pause: Pause | undefined, nowMs: number): pause is Pause {
  return pause !== undefined && (pause.untilMs === undefined || pause.untilMs > nowMs);
}

/**
 * Why a stack is not written now, as far as the stacks are concerned that come before it; undefined: it may be. Those
 * that are not known any more hold nothing.
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

/** The circles in `after`, and names that are no stack: each as a sentence. */
export function orderProblems(stacks: readonly Pick<StackEntry, 'name' | 'after'>[]): readonly string[] {
  const byName = new Map(stacks.map((stack) => [stack.name, stack]));
  const unknown = stacks.flatMap(({ name, after }) =>
    after.filter((other) => !byName.has(other)).map((other) => `${name} is to come after ${other}, which is no stack`),
  );
  const done = new Set<string>();
  const circles: string[] = [];
  function visit(name: string, path: readonly string[]): void {
    const at = path.indexOf(name);
    if (at >= 0) circles.push(`${[...path.slice(at), name].join(' comes after ')}: a circle`);
    if (at >= 0 || done.has(name)) return;
    for (const other of byName.get(name)?.after ?? []) visit(other, [...path, name]);
    done.add(name);
  }
  for (const { name } of stacks) visit(name, []);
  return [...unknown, ...circles];
}
