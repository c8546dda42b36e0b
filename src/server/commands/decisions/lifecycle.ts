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

export type CancelDecision =
  | { readonly action: 'cancel' | 'nothing' | 'request' }
  | { readonly action: 'refuse'; readonly reason: string };

/**
 * A pending command is cancelled immediately, a finished one never (platform/commands.stages). For a running one
 * cancellation can be requested if its type can be stopped; a repeated request changes nothing.
 */
export function decideCancellation(
  stage: Stage,
  requested: 'cancellation-requested' | 'cancelled',
  canStop: boolean,
): CancelDecision {
  switch (stage) {
    case 'pending':
      return { action: 'cancel' };
    case 'running':
      if (requested === 'cancelled')
        return { action: 'refuse', reason: 'the command is running; it is too late to cancel it' };
      if (!canStop) return { action: 'refuse', reason: 'a command of this type cannot be stopped once it runs' };
      return { action: 'request' };
    case 'cancellation-requested':
      if (requested === 'cancellation-requested') return { action: 'nothing' };
      return { action: 'refuse', reason: 'the cancellation has already been requested' };
    case 'completed':
    case 'failed':
    case 'cancelled':
      return { action: 'refuse', reason: `the command is already ${stage}` };
  }
}
