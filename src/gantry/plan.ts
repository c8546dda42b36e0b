import { refusedPlan } from '../apply/applyErrors.ts';
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
import type { Platform } from '../project/platform/platform.ts';
import { phase, type Session } from '../project/session/session.ts';
import type { Ground } from '../rehearsal/base.ts';
import type { RehearsalInput } from '../rehearsal/input.ts';
import { type Rehearsal, rehearsalToJson } from '../rehearsal/rehearsal.ts';
import type { SavedState } from '../rehearsal/savedState.ts';
import type { NewPlan, PlanOptions, Rehearse, StackPlan } from './gantry.ts';
import { type LoadedStack, refuseProblems } from './loading/loadStack.ts';
import { type PlanInput, type Planned, planFromPlatform, planOnceMore } from './loading/planFromPlatform.ts';
import { snapshotRequest } from './loading/snapshotRequest.ts';

/** How a stack is planned. */
export interface Planning extends Pick<PlanInput, 'isApplied' | 'isSigned' | 'isSelectionChecked' | 'before'> {
  /** Of the plan. */
  readonly permits?: Omit<PlanOptions, 'destroy' | 'rehearse' | 'after' | 'signal'>;
  readonly rehearse?: Rehearse;
  /** Of the run that it belongs to. */
  readonly rehearsals?: Rehearsals;
}

export type RehearseHow = Pick<RehearsalInput, 'crash' | 'onPoint' | 'ground' | 'onGround'>;

/** The rehearsals of one run: each plan is rehearsed on what those before it leave. */
export class Rehearsals {
  #ground: Ground | undefined;
  /** A plan is refused, so nobody knows what the next one would find. */
  #isOver: boolean;

  /** `before`: of a run that this one goes on from. */
  constructor(before?: Rehearsals) {
    this.#ground = before === undefined ? undefined : before.#ground;
    this.#isOver = before === undefined ? false : before.#isOver;
  }

  /** Undefined: it was not asked for, or the plan is refused, or one before it is. */
  async ifAsked(
    session: Pick<Session, 'tell' | 'tracing'>,
    plan: Plan,
    asked: Rehearse,
    rehearse: (how: RehearseHow) => Promise<Rehearsal>,
  ): Promise<Rehearsal | undefined> {
    if (asked === false) return undefined;
    if (this.#isOver || isRefused(plan)) {
      const refused = this.#isOver ? 'The plan of a stack before it' : 'The plan';
      this.#isOver = true;
      await session.tell({ type: 'note', text: `${refused} is refused, so it was not rehearsed.` });
      return undefined;
    }
    const how: RehearseHow = {
      crash: asked === 'crash',
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

/** Plans a stack, and rehearses the plan where that is asked for. A refused plan is a plan: `refused` says why. */
export async function planStack(
  session: Session,
  platform: Platform & { readonly given?: SavedState },
  stack: LoadedStack,
  { permits = {}, rehearse = false, rehearsals = new Rehearsals(), ...how }: Planning = {},
): Promise<NewPlan> {
  // An earlier stack of the same run may have taken hours.
  const input: PlanInput = { ...stack, ...how, isRehearsed: rehearse !== false, nowMs: Date.now() };
  const { target = [], exclude = [], ...more } = permits;
  const options = { ...usualPermits(stack.destroys), ...more, target, exclude };
  const planned = await phase(session, 'plan', () => planFromPlatform(platform, input, { options }));
  const { desired } = planned;
  const plan = await noteLost(session, stack, planned);
  await refuseInvalid(session, platform.org, desired);
  await session.tell({ type: 'plan', plan, from: planned });
  const base = present({ base: platform.given?.base });
  const run = (as: RehearseHow) => rehearsePlan(planned, { ...as, ...base });
  const rehearsal = await rehearsals.ifAsked(session, plan, rehearse, run);
  return {
    ...planned,
    ...stackPlan(plan, desired, rehearsal),
    inputs: stack.inputs,
    outputs: stack.outputs,
    settings: stack.settings,
    planAgain: async (again) => (await planOnceMore(again, input, { options })).plan,
    refusedNow: () =>
      refuseNow(input.limits, { nowMs: Date.now(), isRehearsed: input.isRehearsed === true, isSigned: false }),
  };
}

/** Files are looked at where there are such outputs. */
async function noteLost({ cwd }: Session, { outputs }: LoadedStack, { plan, snapshot }: Planned): Promise<Plan> {
  if (outputs.every(({ saveTo }) => saveTo === undefined)) return plan;
  const { withLostNotes } = await import('./applying/saveShown.ts');
  return withLostNotes(plan, outputs, snapshot, cwd);
}

/** Values of live records are known by now, and may be such as the platform would refuse. */
async function refuseInvalid(session: Session, org: string, desired: readonly DesiredResource[]): Promise<void> {
  if (!desired.some(isFilled)) return;
  const validators = await loadValidators(new Set(desired.filter(isFilled).map(({ ref }) => ref.kind)));
  await refuseProblems(session, filledProblems(desired, { org, validators }));
}

/** Those of the command line. A plan that is to delete everything has no limit of deletions. */
function usualPermits(destroys = false): Permits {
  const usual = Object.fromEntries(permitNames.map((name) => [name, allPermits[name].default]));
  return destroys ? { ...usual, allowEmpty: true, maxDeletes: undefined } : usual;
}

/** A plan as all who made it show it: what it comes to, and its document. `desired`: names the places of changes. */
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

/** Undefined: it was not rehearsed, or nothing was wrong. */
function refusedByRehearsal(rehearsal: Rehearsal | undefined): ToolError | undefined {
  if (rehearsal?.problem === undefined) return undefined;
  return new ToolError({
    code: 'plan.rehearsal',
    message: 'the plan is refused: it is not consistent in rehearsal',
    hint: 'Correct the differences that the rehearsal lists, or report them.',
  });
}

/** Runs a plan on the platform of this process, which begins with what was read. It must not be refused. */
export async function rehearsePlan(
  { plan, desired, snapshot, options }: Pick<Planned, 'plan' | 'desired' | 'snapshot' | 'options'>,
  how: RehearseHow & Pick<RehearsalInput, 'base'>,
): Promise<Rehearsal> {
  const { rehearse } = await import('../rehearsal/rehearse.ts');
  const request = snapshotRequest(desired, snapshot.org, options.owner);
  // The rehearsals before this one have carried out what comes before.
  const { before: _before, ...then } = options;
  return rehearse({ ...how, plan, desired, snapshot, options: then, request });
}
