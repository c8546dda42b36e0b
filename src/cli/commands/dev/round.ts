import { present } from '../../../base/json/present.ts';
import { ToolError } from '../../../base/toolError.ts';
import { carryOut, turnsOf } from '../../../gantry/apply.ts';
import type { Run } from '../../../gantry/applying/resultJson.ts';
import type { NewPlan } from '../../../gantry/gantry.ts';
import { checkInputs, type LoadedStack, stacksOf } from '../../../gantry/loading/loadStack.ts';
import { type Planning, planStack } from '../../../gantry/plan.ts';
import { changesOf } from '../../../gantry/planning/changesOf.ts';
import type { LocatedProblem } from '../../../manifest/model/locatedProblem.ts';
import type { Platform } from '../../../project/platform/platform.ts';
import type { Session } from '../../../project/session/session.ts';

/** One stack, planned again. */
export interface DevPlan {
  readonly planned: NewPlan;
  /** Absent where nothing was applied. */
  readonly applied?: Run;
}

/** The result of one save. */
export interface Round {
  /** Problems of the stack; with errors nothing is planned. */
  readonly problems: readonly LocatedProblem[];
  readonly plans: readonly DevPlan[];
  /** Why there is no plan, or the run failed, where it is no problem of the stack. */
  readonly error?: ToolError;
  /** The output of the stack, and notes on its files. */
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

/** Nothing is permitted, and there is no limit of deletions: it is the platform of this machine. */
const permits = { maxDeletes: undefined };

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
  const planned = (stack: LoadedStack, how: Planning) => planStack(telling, platform, stack, { ...how, permits });
  const plans: DevPlan[] = [];
  let problems: readonly LocatedProblem[] = [];
  let files: readonly string[] = [];
  try {
    const checked = await checkInputs(telling, paths, 'read', { tellFiles: true });
    ({ problems, files } = checked);
    if (problems.some(({ severity }) => severity === 'error')) return { problems, plans, output, files };
    const stacks = await stacksOf(telling, checked, paths, checked.selected === undefined);
    files = [...files, ...(stacks[0]?.policies?.files ?? [])];
    if (!apply) {
      for (const stack of stacks) {
        const before = changesOf(plans.map((each) => each.planned));
        plans.push({ planned: await planned(stack, { isApplied: false, before }) });
      }
    }
    for (const turn of apply ? turnsOf(stacks) : []) {
      const made = await planned(turn.stack, turn.planning(platform));
      turn.ran(made);
      const { run, error } = await carryOut(telling, platform, made, {});
      plans.push({ planned: made, ...present({ applied: run }) });
      if (run !== undefined && error !== undefined) return { problems, plans, output, files, error };
    }
    return { problems, plans, output, files };
  } catch (error) {
    if (!(error instanceof ToolError) || error.code === 'automation.interrupted') throw error;
    return { problems, plans, output, files, error };
  }
}
