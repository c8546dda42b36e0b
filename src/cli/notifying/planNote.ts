import type { StackNote } from '../../integrations/notification.ts';
import { actionCounts } from '../../plan/impact/actionCounts.ts';
import { planRisk } from '../../plan/impact/risk.ts';
import type { Plan } from '../../plan/model/plan.ts';

/** What others are told of a plan. */
export function planNote({ org, stack, changes }: Plan): StackNote {
  return { org, stack, summary: actionCounts(changes), risk: planRisk(changes) };
}
