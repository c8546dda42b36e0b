import type { JsonObject } from '../base/json/json.ts';
import { present } from '../base/json/present.ts';
import { ToolError } from '../base/toolError.ts';
import { planToJson } from '../change/documents/planDocument.ts';
import { loadValidators } from '../kinds/validators.ts';
import { filledProblems, isFilled } from '../manifest/checkManifests.ts';
import type { DesiredResource } from '../manifest/model/manifest.ts';
import { refuseNow } from '../plan/checks/refusePlan.ts';
import { permits as allPermits, type Permits, permitNames } from '../plan/model/permits.ts';
import { actionCounts, isEmptyPlan, isRefused, type Plan } from '../plan/model/plan.ts';
import { refusedPlan } from '../plan/model/refusal.ts';
import type { Platform } from '../project/platform/platform.ts';
import { phase, type Session } from '../project/session/session.ts';
import type { Ground } from '../rehearsal/base.ts';
import type { RehearsalInput } from '../rehearsal/input.ts';
import { type Rehearsal, rehearsalToJson } from '../rehearsal/rehearsal.ts';
import type { SavedState } from '../rehearsal/savedState.ts';
import type { NewPlan, PlanOptions, Rehearse, StackPlan } from './gantry.ts';
import { type LoadedStack, refuseProblems } from './loading/loadStack.ts';
import { type PlanInput, type Planned, planAfterRun, planFromPlatform } from './loading/planFromPlatform.ts';
import { snapshotRequest } from './loading/snapshotRequest.ts';

export interface PlanStackOptions extends Pick<PlanInput, 'isApplied' | 'isSigned' | 'isSelectionChecked' | 'before'> {
  /** The permits of the plan. */
  readonly permits?: Omit<PlanOptions, 'destroy' | 'rehearse' | 'after' | 'signal'>;
  readonly rehearse?: Rehearse;
  /** The rehearsals of its run. */
  readonly rehearsals?: Rehearsals;
}

export type RehearsalConditions = Pick<RehearsalInput, 'crash' | 'onPoint' | 'ground' | 'onGround'>;

/** The rehearsals of one run: each plan is rehearsed on the result of those before it. */
export class Rehearsals {
  #ground: Ground | undefined;
  /** Whether a plan was refused, so the starting state of the next one is unknown. */
  #isOver: boolean;

  /** `before`: those of the run that this one continues. */
  constructor(before?: Rehearsals) {
    this.#ground = before === undefined ? undefined : before.#ground;
    this.#isOver = before === undefined ? false : before.#isOver;
  }

  /** Undefined if not requested, or if the plan or one before it is refused. */
  async rehearseIfRequested(
    session: Pick<Session, 'tell' | 'tracing'>,
    plan: Plan,
    requested: Rehearse,
    rehearse: (how: RehearsalConditions) => Promise<Rehearsal>,
  ): Promise<Rehearsal | undefined> {
    if (requested === false) return undefined;
    if (this.#isOver || isRefused(plan)) {
      const refused = this.#isOver ? 'The plan of a stack before it' : 'The plan';
      this.#isOver = true;
      await session.tell({ type: 'note', text: `${refused} is refused, so it was not rehearsed.` });
      return undefined;
    }
    const how: RehearsalConditions = {
      crash: requested === 'crash',
      onPoint: (tried, of) => void session.tell({ type: 'rehearsing', tried, of }),
      ...present({ ground: this.#ground }),
      onGround: (left) => {
        this.#ground = left;
      },
    };
    try {
      const rehearsal = await phase(session, 'rehearse', () => rehearse(how));
      this.#isOver = rehearsal.problem !== undefined;
      return rehearsal;
    } finally {
      await session.tell({ type: 'rehearsed' });
    }
  }
}

/** Plans a stack, and rehearses the plan if requested. Also returns refused plans: `refused` says why. */
export async function planStack(
  session: Session,
  platform: Platform & { readonly savedState?: SavedState },
  stack: LoadedStack,
  { permits = {}, rehearse = false, rehearsals = new Rehearsals(), ...how }: PlanStackOptions = {},
): Promise<NewPlan> {
  // The time is new, because an earlier stack of the same run may have taken hours.
  const input: PlanInput = { ...stack, ...how, isRehearsed: rehearse !== false, nowMs: Date.now() };
  const { target = [], exclude = [], ...more } = permits;
  const options = { ...defaultPermits(stack.destroys), ...more, target, exclude };
  const planned = await phase(session, 'plan', () => planFromPlatform(platform, input, { options }));
  const { desired } = planned;
  const plan = await noteLost(session, stack, planned);
  await refuseInvalid(session, platform.org, desired);
  await session.tell({ type: 'plan', plan, from: planned });
  const base = present({ base: platform.savedState?.base });
  const run = (as: RehearsalConditions) => rehearsePlan(planned, { ...as, ...base });
  const rehearsal = await rehearsals.rehearseIfRequested(session, plan, rehearse, run);
  return {
    ...planned,
    ...stackPlan(plan, desired, rehearsal),
    inputs: stack.inputs,
    outputs: stack.outputs,
    settings: stack.settings,
    planAgain: async (again) => (await planAfterRun(again, input, { options })).plan,
    refusedNow: () =>
      refuseNow(input.limits, { nowMs: Date.now(), isRehearsed: input.isRehearsed === true, isSigned: false }),
  };
}

/** Adds notes about lost values. Only reads files if an output is saved to one. */
async function noteLost({ cwd }: Session, { outputs }: LoadedStack, { plan, snapshot }: Planned): Promise<Plan> {
  if (outputs.every(({ saveTo }) => saveTo === undefined)) return plan;
  const { withLostNotes } = await import('./applying/saveShown.ts');
  return withLostNotes(plan, outputs, snapshot, cwd);
}

/** Live values are known now, and may be invalid on the platform. */
async function refuseInvalid(session: Session, org: string, desired: readonly DesiredResource[]): Promise<void> {
  if (!desired.some(isFilled)) return;
  const validators = await loadValidators(new Set(desired.filter(isFilled).map(({ ref }) => ref.kind)));
  await refuseProblems(session, filledProblems(desired, { org, validators }));
}

/** The defaults of the command line. A plan that deletes everything has no limit of deletions. */
function defaultPermits(destroys = false): Permits {
  const usual = Object.fromEntries(permitNames.map((name) => [name, allPermits[name].default]));
  return destroys ? { ...usual, allowEmpty: true, maxDeletes: undefined } : usual;
}

/** The common form of plans: outcome and document. `desired`: adds the positions of changes. */
export function stackPlan(
  plan: Plan,
  desired: readonly DesiredResource[] | undefined,
  rehearsal: Rehearsal | undefined,
): StackPlan {
  return {
    plan,
    isEmpty: isEmptyPlan(plan),
    refused: refusedPlan(plan) ?? refusedByRehearsal(rehearsal),
    rehearsal,
    counts: actionCounts(plan.changes),
    toJSON: () => documentOf(plan, desired, rehearsal),
  };
}

function documentOf(
  plan: Plan,
  desired: readonly DesiredResource[] | undefined,
  rehearsal: Rehearsal | undefined,
): JsonObject {
  const document = planToJson(plan, desired);
  return rehearsal === undefined ? document : { ...document, rehearsal: rehearsalToJson(rehearsal) };
}

/** Undefined without a rehearsal, or if it found no problem. */
function refusedByRehearsal(rehearsal: Rehearsal | undefined): ToolError | undefined {
  if (rehearsal?.problem === undefined) return undefined;
  return new ToolError({
    code: 'plan.rehearsal',
    message: 'the plan is refused: it is not consistent in rehearsal',
    hint: 'Correct the differences that the rehearsal lists, or report them.',
  });
}

/**
 * Runs a plan on a platform in this process that starts with the records that were read. The plan must not be refused.
 */
export async function rehearsePlan(
  { plan, desired, snapshot, options }: Pick<Planned, 'plan' | 'desired' | 'snapshot' | 'options'>,
  how: RehearsalConditions & Pick<RehearsalInput, 'base'>,
): Promise<Rehearsal> {
  const { rehearse } = await import('../rehearsal/rehearse.ts');
  const request = snapshotRequest(desired, snapshot.org, options.owner);
  // The rehearsals before this one have already applied these changes.
  const { before: _before, ...then } = options;
  return rehearse({ ...how, plan, desired, snapshot, options: then, request });
}
