import type { Plan } from '../../plan/model/plan.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { openGantry } from '../api/openGantry.ts';
import type { Session } from '../session/session.ts';

export interface PlanFromLiveOptions {
  readonly org: string;
  readonly session: Pick<Session, 'cwd'>;
}

/** The plan of manifests on a platform in memory, on which others were applied before. Errors: those of that apply. */
export async function planFromLive(
  live: readonly JsonObject[],
  manifests: readonly JsonObject[],
  { org }: PlanFromLiveOptions,
): Promise<Plan> {
  const gantry = await openGantry({ project: false, embedded: 'memory', org, stack: 'test', environment: {} });
  try {
    await gantry.apply(await gantry.plan(await gantry.load(live)));
    const stack = await gantry.load(manifests);
    return (await gantry.plan(stack, { allowEmpty: true, maxDeletes: Number.MAX_SAFE_INTEGER })).plan;
  } finally {
    await gantry.close();
  }
}
