/** How far a command is (platform/commands). */
export const stages = ['pending', 'running', 'completed', 'failed', 'cancellation-requested', 'cancelled'] as const;
export type Stage = (typeof stages)[number];

const terminal: ReadonlySet<Stage> = new Set<Stage>(['completed', 'failed', 'cancelled']);

export function isTerminal(stage: Stage): boolean {
  return terminal.has(stage);
}

export function readStage(text: string): Stage | undefined {
  return stages.find((stage) => stage === text);
}

/** The result of a client's cancellation. */
export type Cancelling =
  | { readonly done: 'cancel' | 'nothing' | 'request' }
  | { readonly done: 'refuse'; readonly because: string };

/**
 * While it is pending a command is cancelled at once, afterwards never (platform/commands.stages). While it runs, its
 * cancellation can be requested, of a type that can be stopped; asking for that again changes nothing.
 */
export function cancelling(stage: Stage, wish: 'cancellation-requested' | 'cancelled', canStop: boolean): Cancelling {
  switch (stage) {
    case 'pending':
      return { done: 'cancel' };
    case 'running':
      if (wish === 'cancelled')
        return { done: 'refuse', because: 'the command is running; it is too late to cancel it' };
      if (!canStop) return { done: 'refuse', because: 'a command of this type cannot be stopped once it runs' };
      return { done: 'request' };
    case 'cancellation-requested':
      if (wish === 'cancellation-requested') return { done: 'nothing' };
      return { done: 'refuse', because: 'the cancellation has been requested and is on its way' };
    case 'completed':
    case 'failed':
    case 'cancelled':
      return { done: 'refuse', because: `the command is ${stage} already` };
  }
}
