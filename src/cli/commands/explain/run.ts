import { ToolError } from '../../../base/toolError.ts';
import { explanationToJson } from '../../../change/documents/explanationDocument.ts';
import type { Explainable } from '../../../change/explain/explainChange.ts';
import { findChange } from '../../../change/explain/findChange.ts';
import type { SavedPlan } from '../../../change/saved/savedPlan.ts';
import { openStack } from '../../../gantry/loading/openStacks.ts';
import { planWithoutWriters } from '../../../gantry/planning/planFromPlatform.ts';
import { type Asked, explainResource } from '../../../gantry/reading/explainResource.ts';
import { openPlanFile } from '../../../gantry/savedPlan/file.ts';
import { explainableOf } from '../../../gantry/savedPlan/options.ts';
import type { Change } from '../../../plan/model/change.ts';
import { openPlatform, type Platform } from '../../../project/platform/platform.ts';
import { openProject } from '../../../project/settings/project.ts';
import type { Ending } from '../../../terminal/answer/ending.ts';
import { show } from '../../../terminal/answer/show.ts';
import type { CommandContext } from '../../../terminal/line/context.ts';
import type { GlobalOptions, PermitOptions } from '../../../terminal/line/options.ts';
import { exitCode } from '../../../terminal/process/exitCode.ts';
import { savedPlanAmong } from '../../savedPlan/among.ts';
import { renderExplanation } from './text.ts';

export interface ExplainOptions extends GlobalOptions, PermitOptions {}

type ExplainContext = CommandContext<ExplainOptions>;

/** Plans as `plan` does, or takes a saved plan, and says why one resource of it is changed, or is not. */
export async function runExplain(
  context: ExplainContext,
  input: string,
  resource: string,
  path: string | undefined,
): Promise<Ending> {
  const file = await savedPlanAmong([input], context);
  if (file !== undefined) {
    const { plans } = await openPlanFile(file, context);
    const named = plans.find(({ plan }) => plan.changes.some(({ id }) => id === resource)) ?? plans[0];
    if (named !== undefined) return explainSaved(context, named, { resource, path });
  }

  const { stack, platform } = await openStack(context, [input]);
  try {
    return await explain(context, await planWithoutWriters(platform, stack, context), { resource, path }, platform);
  } finally {
    await platform.close();
  }
}

/** A saved plan says all but who wrote what is live: that is asked where a platform is given. */
async function explainSaved(context: ExplainContext, saved: SavedPlan, asked: Asked): Promise<Ending> {
  const { plan } = saved;
  const explainable = explainableOf(saved);
  refuseKept(findChange(plan, asked.resource));
  const { settings } = await openProject(context, []);
  if (!context.options.embedded && settings.endpoint === undefined) {
    return explain(context, explainable, asked, undefined);
  }
  const platform = await openPlatform(context, { ...settings, org: plan.org });
  try {
    return await explain(context, explainable, asked, platform);
  } finally {
    await platform.close();
  }
}

/** The file holds nothing of what stays as it is, so nothing more can be said of it. */
function refuseKept({ action, id }: Change): void {
  if (action !== 'keep') return;
  throw new ToolError({
    code: 'explain.kept',
    message: `${id} is unchanged, and a saved plan holds only what changes`,
    hint: 'Explain it from its manifests: gantry explain . RESOURCE.',
  });
}

async function explain(
  context: ExplainContext,
  explainable: Explainable,
  { resource, path }: Asked,
  platform: Platform | undefined,
): Promise<Ending> {
  const explanation = await explainResource(explainable, { resource, path }, platform);
  await show(context, {
    text: () => renderExplanation(explanation, { palette: context.terminal.palette, path }),
    document: () => explanationToJson(explanation),
  });
  return exitCode.ok;
}
