import type { ApplyResult } from '../apply/events.ts';
import { runApply } from '../apply/runApply.ts';
import { fetchSnapshot } from '../client/snapshot.ts';
import { ToolError } from '../errors.ts';
import { isEmptyPlan, isRefused, makePlan } from '../plan/makePlan.ts';
import type { Plan, PlanOptions } from '../plan/plan.ts';
import { makeReplan } from '../plan/replan.ts';
import type { Replan } from '../apply/run.ts';
import type { RehearsalInput } from './input.ts';
import { middle, type Stage } from './stage.ts';

/** Runs a plan, one request after the other: the same requests in the same order each time. */
export function runOn(stage: Stage, plan: Plan, replan: Replan): Promise<ApplyResult> {
  return runApply(plan, stage.client, { clock: stage.clock, random: middle, concurrency: 1, replan });
}

/** The plan of what the stage holds now. */
export async function planOn(
  stage: Stage,
  { request, desired, options, snapshot }: RehearsalInput,
): Promise<{ readonly plan: Plan; readonly replan: Replan }> {
  const read = await fetchSnapshot(stage.client, request);
  const now = { ...read, directives: snapshot.directives };
  const plan = makePlan(desired, now, options);
  const granted = isRefused(plan) ? lessOfTheSame(plan, options) : options;
  return {
    plan: granted === options ? plan : makePlan(desired, now, granted),
    replan: makeReplan(desired, now, granted),
  };
}

const counted = { '--allow-collateral': 'allowCollateral', '--allow-data-loss': 'allowDataLoss' } as const;

/** Half of what was permitted to go is gone already: who runs it again gives the smaller number that the plan names. */
function lessOfTheSame(plan: Plan, options: PlanOptions): PlanOptions {
  let granted = options;
  for (const { allow = '' } of [...plan.refusals, ...plan.changes.flatMap(({ refusals }) => refusals)]) {
    for (const [flag, name] of Object.entries(counted)) {
      const count = allow.startsWith(`${flag}=`) ? Number(allow.slice(flag.length + 1)) : Number.NaN;
      if (count <= options[name]) granted = { ...granted, [name]: count };
    }
  }
  return granted;
}

/** What of a run was otherwise than planned, in words; none if all of it was done. */
export function faultsOf({ failed, skipped, verified, differences = [] }: ApplyResult): readonly string[] {
  return [
    ...failed.map(({ id, error }) => `${id}: ${error.message}`),
    ...(failed.length > 0 ? [] : skipped.map(({ id, because }) => `${id} was not done: ${because}`)),
    ...(verified === false ? differences : []),
  ].sort();
}

/** What a plan still wants to do, in words; none if it is empty. */
export function leftToDo(plan: Plan): readonly string[] {
  if (isEmptyPlan(plan)) return [];
  const changes = plan.changes.filter(({ action }) => action !== 'keep');
  return [
    ...plan.refusals.map(({ message }) => message),
    ...changes.map(({ id, action, reason, fields, refusals }) => {
      const paths = fields.map(({ path }) => path).sort();
      const because = [reason, ...refusals.map(({ message }) => message)].filter((text) => text !== '');
      const where = paths.length === 0 ? '' : ` ${paths.join(', ')}`;
      return `${id} would still be changed (${action}${where})${because.length === 0 ? '' : `: ${because.join('; ')}`}`;
    }),
  ].sort();
}

/** Mistakes of the platform and the plan are what a rehearsal is to find; our own are not. */
export async function asDifferences(work: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ToolError) return [error.message];
    throw error;
  }
}
