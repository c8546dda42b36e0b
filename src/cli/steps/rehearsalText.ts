import type { Rehearse, StackPlan } from '../../gantry/gantry.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { GlobalOptions, PlanTextOptions, RehearseOption } from '../../terminal/options.ts';
import { show } from '../../terminal/show.ts';
import { planText } from '../output/showPlan.ts';

export function rehearseOf({ rehearse }: RehearseOption): Rehearse {
  return rehearse ?? false;
}

/** Shows a plan, and below it its rehearsal, if any. */
export function showPlan(
  { plan, rehearsal, toJSON }: StackPlan,
  context: CommandContext<GlobalOptions & PlanTextOptions>,
): Promise<void> {
  return show(context, {
    async text() {
      const text = await planText(plan, context);
      if (rehearsal === undefined) return text;
      const { renderRehearsal } = await import('./renderRehearsal.ts');
      return `${text}\n\n${renderRehearsal(rehearsal, context.terminal.palette)}`;
    },
    document: toJSON,
  });
}
