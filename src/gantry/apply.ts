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
import type { Planning } from './plan.ts';

export interface CarriedOut {
  /** Undefined if nothing was run. */
  readonly run?: Run;
  /** Undefined if the whole plan is done. */
  readonly error?: ToolError;
}

export interface CarryingOut extends Omit<RunOptions, 'onEvent'> {
  /** Called before anything is written. Absent: no confirmation. */
  readonly confirm?: (() => Promise<boolean>) | undefined;
}

/** Confirms, runs and verifies a plan. Writes nothing if it is refused, idle or not confirmed. */
export async function carryOut(
  session: Session,
  platform: Platform,
  runnable: RunnablePlan,
  { confirm, ...options }: CarryingOut,
): Promise<CarriedOut> {
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

type Ran = Pick<Planned, 'plan' | 'snapshot'>;

/** One stack of a run of several, to plan and apply now. */
export class Turn {
  #stack: LoadedStack;
  /** Deletions that were shown as later ones when the user confirmed. */
  #agreed: ReadonlySet<ResourceId> = new Set();
  #waiting: ReadonlySet<ResourceId> = new Set();
  /** Whether an earlier plan of the run has checked the names in `--target` and `--exclude`. */
  isSelectionChecked = false;
  /** The plans that the stacks of the run have applied so far. */
  readonly #ran: Ran[];

  constructor(stack: LoadedStack, ran: Ran[]) {
    this.#stack = stack;
    this.#ran = ran;
  }

  get stack(): LoadedStack {
    return this.#stack;
  }

  /** How many of its deletions wait for another stack. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Whether the user has already confirmed everything that this plan does. */
  isAgreed({ changes }: Plan): boolean {
    return changes.every(({ id, action }) => action === 'keep' || (action === 'delete' && this.#agreed.has(id)));
  }

  planning(platform: Platform): Planning {
    const isSettled = platform.client.capabilities.of('read.status') === 'holds';
    const others = this.#ran.filter(({ plan }) => plan.stack !== this.#stack.owner);
    const before = [...changesOf(others)].filter(([, { change }]) => !(isSettled && change.wait));
    return { isApplied: true, isSelectionChecked: this.isSelectionChecked, before: new Map(before) };
  }

  /** Records the applied plan, before the next turn. */
  ran(made: Ran): void {
    const { plan } = made;
    this.#ran.push(made);
    this.#waiting = new Set(plan.waiting?.map(({ id }) => id));
    // The confirmed plan also showed the waiting deletions.
    if (!isEmptyPlan(plan)) this.#agreed = new Set([...this.#agreed, ...this.#waiting]);
  }

  /** Waiting has not helped: the next plan shows what still needs the resources to delete. */
  waitNoMore(): void {
    const apart = (other: OtherStack): OtherStack => ({ ...other, inRun: false });
    this.#stack = { ...this.#stack, others: this.#stack.others?.map(apart) };
  }
}

/**
 * The order in which stacks are applied. When a stack is planned, the stacks before it have created what it needs. A
 * deletion waits if another stack still needs the resource: after all stacks, the run goes back to it with new plans,
 * until no deletion waits.
 */
export function* turnsOf(stacks: readonly LoadedStack[]): Generator<Turn> {
  const ran: Ran[] = [];
  const turns = stacks.map(({ promised: _, ...stack }) => new Turn(stack, ran));
  let before = Number.POSITIVE_INFINITY;
  for (let open: readonly Turn[] = turns; open.length > 0; ) {
    for (const turn of open) {
      yield turn;
      for (const each of turns) each.isSelectionChecked = true;
    }
    open = turns.filter(({ waiting }) => waiting > 0).toReversed();
    const count = open.reduce((sum, { waiting }) => sum + waiting, 0);
    if (count >= before) for (const turn of open) turn.waitNoMore();
    before = count;
  }
}
