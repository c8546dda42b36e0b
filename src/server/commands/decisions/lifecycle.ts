/** The stages of a command (platform/commands). */
export const stages = ['pending', 'running', 'completed', 'failed', 'cancellation-requested', 'cancelled'] as const;
export type Stage = (typeof stages)[number];

const terminal: ReadonlySet<Stage> = new Set<Stage>(['completed', 'failed', 'cancelled']);

export function isTerminal(stage: Stage): boolean {
  return terminal.has(stage);
}

export function readStage(text: string): Stage | undefined {
  return stages.find((stage) => stage === text);
}

export type Cancelling =
  | { readonly done: 'cancel' | 'nothing' | 'request' }
  | { readonly done: 'refuse'; readonly because: string };

/**
 * A pending command is cancelled immediately, a finished one never (platform/commands.stages). For a running one
 * cancellation can be requested if its type can be stopped; a repeated request changes nothing.
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
      return { done: 'refuse', because: 'the cancellation has already been requested' };
    case 'completed':
    case 'failed':
    case 'cancelled':
      return { done: 'refuse', because: `the command is already ${stage}` };
  }
}
