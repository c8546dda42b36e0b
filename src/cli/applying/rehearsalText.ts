import type { Rehearse, StackPlan } from '../../gantry/gantry.ts';
import { type Rehearsal, rehearsalDocument } from '../../rehearsal/rehearsal.ts';
import { rehearsalGroup } from '../../report/tree/rehearsal.ts';
import { show } from '../../terminal/answer/show.ts';
import type { CommandContext } from '../../terminal/line/context.ts';
import type { GlobalOptions, PlanTextOptions, RehearseOption } from '../../terminal/line/options.ts';
import type { Palette } from '../../terminal/palette.ts';
import { planText } from '../planText/showPlan.ts';
import { renderBlocks } from '../planText/treeText.ts';

/** How `--rehearse` is meant. */
export function rehearseOf({ rehearse }: RehearseOption): Rehearse {
  return rehearse ?? false;
}

/** A plan, and below it how it went in rehearsal, where it was rehearsed. */
export function showPlan(
  { plan, rehearsal, toJSON }: StackPlan,
  context: CommandContext<GlobalOptions & PlanTextOptions>,
): Promise<void> {
  return show(context, {
    async text() {
      const text = await planText(plan, context);
      return rehearsal === undefined ? text : `${text}\n\n${renderRehearsal(rehearsal, context.terminal.palette)}`;
    },
    document: toJSON,
  });
}

/** The text below a plan that was rehearsed. */
export function renderRehearsal(rehearsal: Rehearsal, palette: Palette): string {
  const look = { palette, lineDiff: undefined, width: Number.POSITIVE_INFINITY };
  return renderBlocks([rehearsalGroup(rehearsalDocument(rehearsal))], look);
}
