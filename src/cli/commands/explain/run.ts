import { auditTrail } from '../../../client/auditTrail.ts';
import { ToolError } from '../../../errors/toolError.ts';
import type { WriteEvent, WritesOf } from '../../../manifest/live/writer.ts';
import { explanationToJson } from '../../../plan/documents/explanationDocument.ts';
import { type Explainable, explainStudied, study } from '../../../plan/explain/explainChange.ts';
import { explainPath } from '../../../plan/explain/explainPath.ts';
import { findChange } from '../../../plan/explain/findChange.ts';
import type { Change } from '../../../plan/model/change.ts';
import type { SavedPlan } from '../../../plan/saved/savedPlan.ts';
import type { Ending } from '../../answer/ending.ts';
import { show } from '../../answer/show.ts';
import type { CommandContext } from '../../line/context.ts';
import type { GlobalOptions, PermitOptions } from '../../line/options.ts';
import { loadStackOnPlatform } from '../../manifests/stackOnPlatform.ts';
import { shortHash } from '../../planning/hash.ts';
import { nameWriters } from '../../planning/nameWriters.ts';
import { planWithoutWriters } from '../../planning/planFromPlatform.ts';
import { openPlatform, type Platform } from '../../platform/platform.ts';
import { exitCode } from '../../process/exitCode.ts';
import { openSavedPlan } from '../../savedPlan/file.ts';
import { savedPlanAmong } from '../../savedPlan/path.ts';
import { openProject } from '../../settings/project.ts';
import { renderExplanation } from './text.ts';

export interface ExplainOptions extends GlobalOptions, PermitOptions {}

type ExplainContext = CommandContext<ExplainOptions>;

/** What is to be explained. */
interface Asked {
  readonly resource: string;
  readonly path: string | undefined;
}

/** Plans as `plan` does, or takes a saved plan, and says why one resource of it is changed, or is not. */
export async function runExplain(
  context: ExplainContext,
  input: string,
  resource: string,
  path: string | undefined,
): Promise<Ending> {
  const file = await savedPlanAmong([input], context);
  if (file !== undefined) return explainSaved(context, await openSavedPlan(file, context), { resource, path });

  const { stack, platform } = await loadStackOnPlatform(context, [input]);
  try {
    return await explain(context, await planWithoutWriters(platform, stack, context), { resource, path }, platform);
  } finally {
    await platform.close();
  }
}

/** A saved plan says all but who wrote what is live: that is asked where a platform is given. */
async function explainSaved(context: ExplainContext, saved: SavedPlan, asked: Asked): Promise<Ending> {
  const { plan, directives, unrevealed, live, declared } = saved;
  const explainable: Explainable = {
    plan,
    desired: declared,
    snapshot: {
      org: plan.org,
      resources: live,
      closures: new Map(),
      unrevealed,
      directives,
      requests: plan.requests.snapshot,
    },
    options: { ...saved.options, owner: plan.stack, hash: shortHash },
  };
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
  const change = findChange(explainable.plan, resource);
  const trail = platform && auditTrail(platform.client);
  const named = trail && (await nameWriters({ ...explainable.plan, changes: [change] }, explainable, trail));
  const studied = study(named === undefined ? explainable : { ...explainable, plan: named }, change.id);
  const writes = await writesOf(studied.live?.uid, studied.change.fields.length > 0 || path !== undefined, trail);
  const whole = explainStudied(explainable, studied, writes);
  const explanation = path === undefined ? whole : explainPath(whole, studied, path, writes);
  await show(context, {
    text: () => renderExplanation(explanation, { palette: context.terminal.palette, path }),
    document: () => explanationToJson(explanation),
  });
  return exitCode.ok;
}

/** One read, and only where something differs or is asked for. `null`: it cannot be read. */
async function writesOf(
  uid: string | undefined,
  wanted: boolean,
  trail: WritesOf | undefined,
): Promise<readonly WriteEvent[] | null | undefined> {
  if (uid === undefined || !wanted) return undefined;
  if (trail === undefined) return null;
  return (await trail(uid)) ?? null;
}
