import type { PlanDocument } from '../../change/documents/planDocument.ts';
import type { outcomeWords } from '../../change/words.ts';

export type PlanOutcome = 'no-changes' | 'changes' | 'refused' | NonNullable<PlanDocument['result']>['outcome'];

export type Outcome = keyof typeof outcomeWords;

/** Of a plan that was run: how that ended. */
export function planOutcome({ refused, result, rehearsal, summary }: PlanDocument): PlanOutcome {
  if (result !== undefined) return result.outcome;
  if (refused || rehearsal?.consistent === false) return 'refused';
  const { keep, ...others } = summary;
  return Object.values(others).every((count) => count === 0) ? 'no-changes' : 'changes';
}
