import type { ApplyResult } from '../apply/events.ts';
import { progressOfAll, remainingPlan } from '../apply/resume.ts';
import { runApply } from '../apply/runApply.ts';
import { present } from '../base/json/present.ts';
import { ToolError } from '../base/toolError.ts';
import type { Client } from '../client/client.ts';
import { fetchSnapshot, withClosures } from '../client/fetchSnapshot.ts';
import { keepingShown } from '../client/keepingShown.ts';
import { trailsOfNames } from '../client/trailsOfNames.ts';
import type { Snapshot } from '../manifest/live/snapshot.ts';
import { gvcsToList } from '../plan/gvcsToList.ts';
import { flagOf, permitNames, permits } from '../plan/model/permits.ts';
import { isEmptyPlan, isRefused, type Plan, waitsUnchanged } from '../plan/model/plan.ts';
import type { PlanOptions } from '../plan/model/planOptions.ts';
import { fillReads, planWithReads } from '../plan/planWithReads.ts';
import { makeReplan, type Replan } from '../plan/replan.ts';
import { withUnfinished } from '../plan/unfinishedReplacements.ts';
import type { RehearsalInput } from './input.ts';
import { middle, type Stage } from './stage.ts';

/** Runs a plan, one request after the other: the same requests in the same order each time. */
export function runOn(stage: Stage, plan: Plan, replan: Replan): Promise<ApplyResult> {
  return runApply(withoutUnchangedWaits(plan), keepingShown(stage.client), {
    clock: stage.clock,
    random: middle,
    concurrency: 1,
    replan,
  });
}

/** Only the real platform knows when an unchanged resource is ready. */
function withoutUnchangedWaits(plan: Plan): Plan {
  return {
    ...plan,
    changes: plan.changes.map((change) => (waitsUnchanged(change) ? { ...change, wait: false } : change)),
  };
}

/** The plan for the current state of the stage. */
export async function planOn(
  stage: Stage,
  input: RehearsalInput,
): Promise<{ readonly plan: Plan; readonly replan: Replan }> {
  if (input.resume === 'remainder') return remainderOn(stage, input);
  const { request, desired, options, snapshot } = input;
  const seen = await fetchSnapshot(stage.client, request);
  const complete = await withUnfinished(seen, desired, options.owner, (refs) => trailsOfNames(stage.client, refs));
  const read = asPromised(complete, snapshot);
  const { plan, snapshot: now } = await planFor(stage.client, desired, read, options);
  const granted = isRefused(plan) ? lessOfTheSame(plan, options) : options;
  return {
    plan: granted === options ? plan : planWithReads(desired, now, granted).plan,
    replan: makeReplan(fillReads(desired, now), now, granted),
  };
}

/** Plans, and plans again if the content of a GVC had to be listed. */
export async function planFor(
  client: Client,
  desired: RehearsalInput['desired'],
  snapshot: Snapshot,
  options: PlanOptions,
): Promise<{ readonly plan: Plan; readonly snapshot: Snapshot }> {
  const { plan } = planWithReads(desired, snapshot, options);
  const listed = await withClosures(client, snapshot, gvcsToList(plan, snapshot));
  return { plan: listed === snapshot ? plan : planWithReads(desired, listed, options).plan, snapshot: listed };
}

/** Some permitted deletions are already done, so the second run uses the smaller number that the plan requires. */
function lessOfTheSame(plan: Plan, options: PlanOptions): PlanOptions {
  let granted = options;
  for (const { allow = '' } of [...plan.refusals, ...plan.changes.flatMap(({ refusals }) => refusals)]) {
    for (const name of permitNames.filter((each) => permits[each].exact)) {
      const flag = `${flagOf(name)}=`;
      const count = allow.startsWith(flag) ? Number.parseInt(allow.slice(flag.length), 10) : Number.NaN;
      const permitted = options[name];
      if (typeof permitted === 'number' && count <= permitted) granted = { ...granted, [name]: count };
    }
  }
  return granted;
}

/** How a run differed from its plan, in words; empty if everything was done. */
export function faultsOf({ failed, skipped, verified, differences = [] }: ApplyResult): readonly string[] {
  return [
    ...failed.map(({ id, error }) => `${id}: ${inOneLine(error.message)}`),
    ...(failed.length > 0 ? [] : skipped.map(({ id, because }) => `${id} was not done: ${because}`)),
    // After a failure they are its consequences.
    ...(verified === false && failed.length === 0 ? differences : []),
  ].sort();
}

/** The remaining changes of a plan, in words; empty if there are none. */
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

/** Several problems in one line. */
function inOneLine(message: string): string {
  const [first = '', ...others] = message.split('\n').map((line) => line.trim());
  return [first, ...others.filter((line) => !first.endsWith(line))].join('; ');
}

/** A rehearsal reports errors of the platform and the plan; our own errors are thrown. */
export async function asDifferences(work: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ToolError) return [inOneLine(error.message)];
    throw error;
  }
}

/** The rest of the plan in the current state of the stage, as for a saved plan. */
async function remainderOn(
  { client }: Stage,
  { request, plan, desired, options, snapshot }: RehearsalInput,
): Promise<{ readonly plan: Plan; readonly replan: Replan }> {
  const read = asPromised(await fetchSnapshot(client, request), snapshot);
  const now = await withClosures(client, read, gvcsToList(plan, read));
  const replan = makeReplan(desired, now, options);
  return {
    plan: remainingPlan(plan, progressOfAll(plan, now, { replan, org: plan.org, planned: snapshot.resources }), now),
    replan,
  };
}

/** The answers of `/discovery` come from the live platform; so does the state before the rehearsal. */
function asPromised({ preconditions: _, dryRun: _dryRun, ...read }: Snapshot, live: Snapshot): Snapshot {
  const { directives, preconditions, dryRun, unfinished, past } = live;
  const deleted = [...(unfinished ?? [])].filter(([id]) => !read.resources.has(id));
  return {
    ...read,
    directives,
    ...present({ preconditions, past, dryRun }),
    ...present({ unfinished: deleted.length === 0 ? undefined : new Map([...deleted, ...(read.unfinished ?? [])]) }),
  };
}
