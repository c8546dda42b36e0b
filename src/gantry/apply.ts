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
  /** Undefined: nothing was run. */
  readonly run?: Run;
  /** Undefined: everything that was planned is done. */
  readonly error?: ToolError;
}

export interface CarryingOut extends Omit<RunOptions, 'onEvent'> {
  /** Asked before anything is written. Absent: nobody is. */
  readonly confirm?: (() => Promise<boolean>) | undefined;
}

/** Asks, runs and verifies. Of a plan that is refused, idle or not confirmed nothing is written. */
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

/** One stack of a run of several, to be planned and applied now. */
export class Turn {
  #stack: LoadedStack;
  /** Deletions that somebody has seen, as ones that come later, and said yes to. */
  #agreed: ReadonlySet<ResourceId> = new Set();
  #waiting: ReadonlySet<ResourceId> = new Set();
  /** An earlier plan of the run has checked what `--target` and `--exclude` name. */
  isSelectionChecked = false;
  /** The plans that the stacks of the run have carried out so far. */
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

  /** Has somebody who was asked already seen everything that this plan does? */
  isAgreed({ changes }: Plan): boolean {
    return changes.every(({ id, action }) => action === 'keep' || (action === 'delete' && this.#agreed.has(id)));
  }

  /** How its plan is made. */
  planning(platform: Platform): Planning {
    const isSettled = platform.client.capabilities.of('read.status') === 'holds';
    const others = this.#ran.filter(({ plan }) => plan.stack !== this.#stack.owner);
    const before = [...changesOf(others)].filter(([, { change }]) => !(isSettled && change.wait));
    return { isApplied: true, isSelectionChecked: this.isSelectionChecked, before: new Map(before) };
  }

  /** Tells how it was run, before the next turn is taken. */
  ran(made: Ran): void {
    const { plan } = made;
    this.#ran.push(made);
    this.#waiting = new Set(plan.waiting?.map(({ id }) => id));
    // Who was asked has seen what waits.
    if (!isEmptyPlan(plan)) this.#agreed = new Set([...this.#agreed, ...this.#waiting]);
  }

  /** It was waited for in vain: the plan says what needs it still. */
  waitNoMore(): void {
    const apart = (other: OtherStack): OtherStack => ({ ...other, inRun: false });
    this.#stack = { ...this.#stack, others: this.#stack.others?.map(apart) };
  }
}

/**
 * The order in which stacks are applied. What a stack needs of the ones before it is there when it is planned. What it
 * deletes and another one still needs waits: when all stacks are applied the run goes back, by plans that are made then,
 * until nothing waits any more.
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
