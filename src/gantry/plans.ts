import { refusedPlan } from '../apply/run/applyErrors.ts';
import type { SavedPlan } from '../change/saved/savedPlan.ts';
import type { DesiredResource } from '../manifest/model/manifest.ts';
import type { Action } from '../plan/model/change.ts';
import { type Permits, permitNames, permits } from '../plan/model/permits.ts';
import type { Plan } from '../plan/model/plan.ts';
import { isEmptyPlan, isRefused } from '../plan/model/planState.ts';
import type { Platform } from '../project/platform/platform.ts';
import type { Rehearsal } from '../rehearsal/rehearsal.ts';
import type { NewPlan, PlanOptions, Rehearse, Stack, StackPlan, StoredPlan } from './gantry.ts';
import { type PlanInput, planFromPlatform, planOnceMore } from './planning/planFromPlatform.ts';
import { planSettings } from './planning/planSettings.ts';
import { refusedByRehearsal } from './planning/refusedByRehearsal.ts';
import { rehearsedPlanToJson } from './planning/rehearsedPlanToJson.ts';
import { rehearsePlanned } from './planning/rehearsePlanned.ts';

/** Plans a stack. `onPlatform`: for what is planned once more, when this connection has ended. */
export async function newPlan(
  stack: Stack,
  { destroy = false, target = [], exclude = [], wait = false, rehearse = false, ...given }: PlanOptions,
  platform: Platform,
  onPlatform: <T>(work: (platform: Platform) => Promise<T>) => Promise<T>,
): Promise<NewPlan> {
  const { owner, inputs, others } = stack;
  const namedHere = stack.desired.map(({ ref }) => ref);
  const planned = { ...planSettings(stack.settings), isRehearsed: rehearse !== false };
  const input: PlanInput = destroy
    ? { ...planned, policies: stack.policies, desired: [], namedHere, owner, others, scope: 'whole', destroys: true }
    : { ...stack, ...planned };
  const options = { ...usualPermits(destroy), ...given, target, exclude, wait };
  const made = await planFromPlatform(platform, input, { options });
  const rehearsal = await rehearseIfAsked(made.plan, rehearse, (crash) => rehearsePlanned(made, { crash }));
  return {
    ...made,
    ...stackPlan(made.plan, made.desired, rehearsal),
    inputs,
    settings: stack.settings,
    planAgain: () => onPlatform(async (again) => (await planOnceMore(again, input, { options })).plan),
  };
}

export function storedPlan(
  saved: SavedPlan,
  belongs: Pick<StoredPlan, 'folder' | 'settings' | 'policies' | 'verify'>,
  rehearsal?: Rehearsal,
): StoredPlan {
  return { ...stackPlan(saved.plan, saved.declared, rehearsal), saved, ...belongs };
}

/** Undefined: it was not asked for, or the plan is refused. */
export async function rehearseIfAsked(
  plan: Plan,
  asked: Rehearse,
  rehearse: (crash: boolean) => Promise<Rehearsal>,
): Promise<Rehearsal | undefined> {
  return asked === false || isRefused(plan) ? undefined : rehearse(asked === 'crash');
}

/** Those of the command line. A plan that is to delete everything has no limit of deletions. */
function usualPermits(destroy: boolean): Permits {
  const usual = Object.fromEntries(permitNames.map((name) => [name, permits[name].default]));
  return destroy ? { ...usual, allowEmpty: true, maxDeletes: undefined } : usual;
}

function stackPlan(plan: Plan, desired: readonly DesiredResource[], rehearsal: Rehearsal | undefined): StackPlan {
  const counts: Record<Action, number> = {
    create: 0,
    patch: 0,
    replace: 0,
    delete: 0,
    keep: 0,
    adopt: 0,
    forget: 0,
    refuse: 0,
  };
  for (const { action } of plan.changes) counts[action] += 1;
  return {
    plan,
    isEmpty: isEmptyPlan(plan),
    refused: refusedPlan(plan) ?? refusedByRehearsal(rehearsal),
    rehearsal,
    counts,
    toJSON: () => rehearsedPlanToJson(plan, desired, rehearsal),
  };
}
