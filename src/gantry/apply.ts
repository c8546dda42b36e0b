import { ToolError } from '../base/toolError.ts';
import { isEmptyPlan, isIdlePlan, type Plan } from '../plan/model/plan.ts';
import type { OtherStack } from '../plan/model/planOptions.ts';
import type { Platform } from '../project/platform/platform.ts';
import { phase, type Session } from '../project/session/session.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import { type RunnablePlan, type RunOptions, runPlanned } from './applying/runPlanned.ts';
import { type Run, runError } from './applying/runResult.ts';
import { changesOf } from './loading/changesOf.ts';
import type { LoadedStack } from './loading/loadStack.ts';
import type { Planned } from './loading/planFromPlatform.ts';
import type { PlanStackOptions } from './plan.ts';

export interface RunAttempt {
  /** Undefined if nothing was run. */
  readonly run?: Run;
  /** Undefined if the whole plan is done. */
  readonly error?: ToolError;
}

export interface ConfirmAndRunOptions extends Omit<RunOptions, 'onEvent'> {
  /** Called before anything is written. Absent: no confirmation. */
  readonly confirm?: (() => Promise<boolean>) | undefined;
}

/** Confirms, runs and verifies a plan. Writes nothing if it is refused, idle or not confirmed. */
export async function confirmAndRun(
  session: Session,
  platform: Platform,
  runnable: RunnablePlan,
  { confirm, ...options }: ConfirmAndRunOptions,
): Promise<RunAttempt> {
  const { plan, refused } = runnable;
  if (refused !== undefined) return { error: refused };
  if (isIdlePlan(plan)) return {};
  if (confirm !== undefined && !isEmptyPlan(plan) && !(await phase(session, 'confirm', confirm))) {
    const message = 'the changes were not confirmed, so they were not made';
    return { error: new ToolError({ code: 'apply.not-confirmed', message }) };
  }
  const startedMs = session.now();
  const epochMs = Date.now() - startedMs;
  await session.tell({ type: 'begun', plan });
  try {
    const result = await phase(session, 'apply', () =>
      runPlanned(runnable, platform, {
        ...options,
        folder: session.cwd,
        onEvent: (event) => void session.tell({ type: 'run', event }),
      }),
    );
    const error = runError(result);
    const run = { result, startedMs, elapsedMs: session.now() - startedMs, epochMs };
    return error === undefined ? { run } : { run, error };
  } finally {
    await session.tell({ type: 'ended' });
  }
}

type AppliedPlan = Pick<Planned, 'plan' | 'snapshot'>;

/** One stack of a run of several, to plan and apply now. */
export class Turn {
  #stack: LoadedStack;
  /** Deletions that were shown as later ones when the user confirmed. */
  #confirmedDeletions: ReadonlySet<ResourceId> = new Set();
  #waitingDeletions: ReadonlySet<ResourceId> = new Set();
  /** Whether an earlier plan of the run has checked the names in `--target` and `--exclude`. */
  isSelectionChecked = false;
  /** The plans that the stacks of the run have applied so far. */
  readonly #appliedPlans: AppliedPlan[];

  constructor(stack: LoadedStack, appliedPlans: AppliedPlan[]) {
    this.#stack = stack;
    this.#appliedPlans = appliedPlans;
  }

  get stack(): LoadedStack {
    return this.#stack;
  }

  /** How many of its deletions wait for another stack. */
  get waitingCount(): number {
    return this.#waitingDeletions.size;
  }

  /** Whether the user has already confirmed everything that this plan does. */
  isConfirmed({ changes }: Plan): boolean {
    return changes.every(
      ({ id, action }) => action === 'keep' || (action === 'delete' && this.#confirmedDeletions.has(id)),
    );
  }

  planOptions(platform: Platform): PlanStackOptions {
    const isSettled = platform.client.capabilities.of('read.status') === 'holds';
    const others = this.#appliedPlans.filter(({ plan }) => plan.stack !== this.#stack.owner);
    const before = [...changesOf(others)].filter(([, { change }]) => !(isSettled && change.wait));
    return { isApplied: true, isSelectionChecked: this.isSelectionChecked, before: new Map(before) };
  }

  /** Records the applied plan, before the next turn. */
  recordApplied(applied: AppliedPlan): void {
    const { plan } = applied;
    this.#appliedPlans.push(applied);
    this.#waitingDeletions = new Set(plan.waiting?.map(({ id }) => id));
    // The confirmed plan also showed the waiting deletions.
    if (!isEmptyPlan(plan))
      this.#confirmedDeletions = new Set([...this.#confirmedDeletions, ...this.#waitingDeletions]);
  }

  /** Waiting has not helped: the next plan shows what still needs the resources to delete. */
  stopWaiting(): void {
    const outsideRun = (other: OtherStack): OtherStack => ({ ...other, inRun: false });
    this.#stack = { ...this.#stack, others: this.#stack.others?.map(outsideRun) };
  }
}

/**
 * The order in which stacks are applied. When a stack is planned, the stacks before it have created what it needs. A
 * deletion waits if another stack still needs the resource: after all stacks, the run goes back to it with new plans,
 * until no deletion waits.
 */
export function* turnsOf(stacks: readonly LoadedStack[]): Generator<Turn> {
  const appliedPlans: AppliedPlan[] = [];
  const turns = stacks.map((stack) => new Turn(stack, appliedPlans));
  let previousCount = Number.POSITIVE_INFINITY;
  for (let openTurns: readonly Turn[] = turns; openTurns.length > 0; ) {
    for (const turn of openTurns) {
      yield turn;
      for (const each of turns) each.isSelectionChecked = true;
    }
    openTurns = turns.filter(({ waitingCount }) => waitingCount > 0).toReversed();
    const count = openTurns.reduce((sum, { waitingCount }) => sum + waitingCount, 0);
    if (count >= previousCount) for (const turn of openTurns) turn.stopWaiting();
    previousCount = count;
  }
}
