import { openSavedPlan } from '../../../automation/savedPlan/file.ts';
import { planToJson } from '../../../plan/documents/planToJson.ts';
import type { Ending } from '../../answer/ending.ts';
import { show } from '../../answer/show.ts';
import type { CommandContext } from '../../line/context.ts';
import type { OutputOptions, PlanTextOptions } from '../../line/options.ts';
import { planText } from '../../planText/showPlan.ts';
import { exitCode } from '../../process/exitCode.ts';

export interface ShowOptions extends OutputOptions, PlanTextOptions {}

/** A saved plan, as `plan` printed it. It needs no platform and no manifests, and checks the file as `apply` does. */
export async function runShow(context: CommandContext<ShowOptions>, file: string): Promise<Ending> {
  const { plan, declared } = await openSavedPlan(file, context);
  await show(context, { text: () => planText(plan, context), document: () => planToJson(plan, declared) });
  return exitCode.ok;
}
