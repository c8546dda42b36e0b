import type { ApplyResult } from '../../../apply/report/events.ts';
import { refusedPlan } from '../../../apply/run/applyErrors.ts';
import type { JsonObject } from '../../../base/json/json.ts';
import { ToolError } from '../../../base/toolError.ts';
import { resultToJson } from '../../../gantry/applying/resultJson.ts';
import { runError } from '../../../gantry/applying/runError.ts';
import { runPlanned } from '../../../gantry/applying/runPlanned.ts';
import { chooseStacks, inOneRun } from '../../../gantry/loading/chooseStacks.ts';
import { checkInputs } from '../../../gantry/loading/loadStack.ts';
import { type Planned, planFromPlatform, planOnceMore } from '../../../gantry/planning/planFromPlatform.ts';
import { planSettings } from '../../../gantry/planning/planSettings.ts';
import type { LocatedProblem } from '../../../manifest/model/locatedProblem.ts';
import { isEmptyPlan } from '../../../plan/model/planState.ts';
import { openPolicies } from '../../../policies/sandbox/openPolicies.ts';
import type { Platform } from '../../../project/platform/platform.ts';
import type { Session } from '../../../project/session/session.ts';

/** One stack, planned again. */
export interface DevPlan {
  readonly planned: Planned;
  /** Absent where nothing was applied. */
  readonly applied?: { readonly result: ApplyResult; readonly elapsedMs: number; readonly json: JsonObject };
}

/** What came of one save. */
export interface Round {
  /** What is wrong with the stack; with errors nothing is planned. */
  readonly problems: readonly LocatedProblem[];
  readonly plans: readonly DevPlan[];
  /** Why there is no plan, or the run failed, where it is no problem of the stack. */
  readonly error?: ToolError;
  /** What the stack wrote, and what is to be said of its files. */
  readonly output: readonly string[];
  /** Absolute: what was loaded. */
  readonly files: readonly string[];
}

/** How a round is run. */
export interface RoundOptions {
  readonly session: Session;
  readonly paths: readonly string[];
  readonly platform: Platform;
  readonly apply: boolean;
}

const nothingPermitted = { target: [], exclude: [] };

/** Loads, checks, plans. Errors: `automation.interrupted`; own mistakes; all others are in the round. */
export async function runRound({ session, paths, platform, apply }: RoundOptions): Promise<Round> {
  const output: string[] = [];
  const telling: Session = {
    ...session,
    tell(notice) {
      if (notice.type === 'note') output.push(notice.text);
      if (notice.type === 'output') output.push(`${notice.file} | ${notice.line}`);
    },
  };
  const plans: DevPlan[] = [];
  let problems: readonly LocatedProblem[] = [];
  let files: readonly string[] = [];
  try {
    const checked = await checkInputs(telling, paths, 'read', { tellFiles: true });
    ({ problems, files } = checked);
    if (problems.some(({ severity }) => severity === 'error')) return { problems, plans, output, files };
    const { settings } = checked.project;
    const policies = await openPolicies(telling, checked.project);
    files = [...files, ...(policies?.files ?? [])];
    let turns = inOneRun(chooseStacks(checked, telling, checked.selected === undefined));
    // What a stack deletes and a later one still needs waits: the round goes back, as `apply --all` does.
    for (let before = Number.POSITIVE_INFINITY; turns.length > 0; ) {
      const waiting: (typeof turns)[number][] = [];
      let count = 0;
      for (const stack of turns) {
        const input = { ...stack, ...planSettings(settings), policies, scope: checked.scope, isApplied: apply };
        const context = { options: nothingPermitted };
        if (!apply) {
          plans.push({ planned: await planFromPlatform(platform, input, context) });
          continue;
        }
        const { promised: _, ...alone } = input;
        const planned = await planFromPlatform(platform, alone, context);
        const planAgain = async () => (await planOnceMore(platform, alone, context)).plan;
        const done = await applied(planned, planAgain, platform, session);
        plans.push(done);
        const failed = done.applied === undefined ? undefined : runError(done.applied.result);
        if (failed !== undefined) return { problems, plans, output, files, error: failed };
        const { length } = planned.plan.waiting ?? [];
        if (length > 0) waiting.push(stack);
        count += length;
      }
      turns = count < before ? waiting.toReversed() : [];
      before = count;
    }
    return { problems, plans, output, files };
  } catch (error) {
    if (!(error instanceof ToolError) || error.code === 'automation.interrupted') throw error;
    return { problems, plans, output, files, error };
  }
}

async function applied(
  planned: Planned,
  planAgain: () => Promise<Planned['plan']>,
  platform: Platform,
  { now }: Session,
): Promise<DevPlan> {
  if (refusedPlan(planned.plan) !== undefined || isEmptyPlan(planned.plan)) return { planned };
  const startedMs = now();
  const epochMs = Date.now() - startedMs;
  const result = await runPlanned({ ...planned, planAgain }, platform, {});
  const elapsedMs = now() - startedMs;
  const json = resultToJson({ result, startedMs, elapsedMs }, epochMs);
  return { planned, applied: { result, elapsedMs, json } };
}
