import type { DesiredResource } from '../manifest/manifest.ts';
import type { Replan } from '../apply/run.ts';
import type { Plan, PlanOptions } from '../plan/plan.ts';
import type { CommandContext } from './context.ts';
import { shortHash } from './hash.ts';
import type { GlobalOptions, PermitOptions } from './options.ts';
import type { Platform } from './platform.ts';
import { snapshotRequest } from './snapshotRequest.ts';

export interface PlanInput {
  readonly desired: readonly DesiredResource[];
  readonly owner: string;
  readonly scope: 'whole' | 'partial';
  /** Overrides what the endpoint's `/discovery` says. */
  readonly directives: 'all' | 'stated' | undefined;
}

export interface Planned {
  readonly plan: Plan;
  /** For records whose version moves while the plan runs. */
  readonly replan: Replan;
}

/** Reads what is live and plans. */
export async function planOn(
  platform: Platform,
  { desired, owner, scope, directives }: PlanInput,
  { options }: CommandContext<GlobalOptions & PermitOptions>,
): Promise<Planned> {
  const [{ fetchSnapshot }, { makePlan }, { makeReplan }] = await Promise.all([
    import('../client/snapshot.ts'),
    import('../plan/makePlan.ts'),
    import('../plan/replan.ts'),
  ]);
  const read = await fetchSnapshot(platform.client, snapshotRequest(desired, platform.org, owner));
  const snapshot = directives === undefined ? read : { ...read, directives };
  const planOptions: PlanOptions = {
    owner,
    scope,
    adopt: options.adopt,
    prune: options.prune,
    allowCollateral: options.allowCollateral,
    allowDataLoss: options.allowDataLoss,
    maxDeletes: options.maxDeletes,
    allowEmpty: options.allowEmpty,
    revertOperational: options.revertOperational,
    writeUnknownSecrets: options.writeUnknownSecrets,
    wait: options.wait,
    hash: shortHash,
  };
  return { plan: makePlan(desired, snapshot, planOptions), replan: makeReplan(desired, snapshot, planOptions) };
}
