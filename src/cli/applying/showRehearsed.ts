import { rehearsedPlanToJson } from '../../gantry/planning/rehearsedPlanToJson.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import type { Plan } from '../../plan/model/plan.ts';
import type { Rehearsal } from '../../rehearsal/rehearsal.ts';
import { show } from '../../terminal/answer/show.ts';
import type { CommandContext } from '../../terminal/line/context.ts';
import type { GlobalOptions, PlanTextOptions } from '../../terminal/line/options.ts';
import { planText } from '../planText/showPlan.ts';
import { renderRehearsal } from './rehearsalText.ts';

/** A plan, and below it how it went in rehearsal, where it was rehearsed. `desired`: what names the places of changes. */
export function showRehearsed(
  { plan, desired }: { readonly plan: Plan; readonly desired?: readonly DesiredResource[] },
  rehearsal: Rehearsal | undefined,
  context: CommandContext<GlobalOptions & PlanTextOptions>,
): Promise<void> {
  return show(context, {
    async text() {
      const text = await planText(plan, context);
      return rehearsal === undefined ? text : `${text}\n\n${renderRehearsal(rehearsal, context.terminal.palette)}`;
    },
    document: () => rehearsedPlanToJson(plan, desired, rehearsal),
  });
}
