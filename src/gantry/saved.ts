import { ToolError } from '../base/toolError.ts';
import { refuseSaved, type SavedPlan } from '../change/savedPlan.ts';
import { fileProblem } from '../manifest/model/locatedProblem.ts';
import type { DesiredResource } from '../manifest/model/manifest.ts';
import { isIdlePlan, type Plan } from '../plan/model/plan.ts';
import { refusedPlan } from '../plan/model/refusal.ts';
import { judgePlan } from '../policies/rules/judgePlan.ts';
import type { Platform } from '../project/platform/platform.ts';
import { phase, type Session, type Trust } from '../project/session/session.ts';
import { effectiveLimits } from '../project/settings/effectiveLimits.ts';
import type { Rehearsal } from '../rehearsal/rehearsal.ts';
import { formatRef, type ResourceId } from '../schema/record/ref.ts';
import type { Signing } from '../signing/signPlan.ts';
import type { Statement } from '../signing/statement.ts';
import type { RunnablePlan } from './applying/runPlanned.ts';
import type { NewPlan, StoredPlan } from './gantry.ts';
import { stackPlan } from './plan.ts';
import { openPlanFile, toSavedPlan, writeSaved } from './savedPlan/file.ts';
import { explainableOf } from './savedPlan/options.ts';
import { previewRemaining, resumeSavedPlan } from './savedPlan/resumeSavedPlan.ts';
import { openSavedProject } from './savedPlan/savedProject.ts';

/**
 * Reads the plans of a file, in the order of applying, and the settings of their project. Errors: `file.read`,
 * `saved.damaged`, and those of the project.
 */
export async function openSaved(session: Session, file: string): Promise<readonly StoredPlan[]> {
  const { plans, bytes } = await openPlanFile(file, session);
  const { cwd, project } = await openSavedProject(session, file, plans);
  const { settings } = project;
  const origin = {
    folder: cwd,
    settings,
    async policies() {
      const { openPolicies } = await import('../policies/sandbox/openPolicies.ts');
      return openPolicies({ ...session, cwd }, project);
    },
    async verify(trust: Trust) {
      const { verifySignatures } = await import('../signing/verifySignatures.ts');
      await verifySignatures({ path: file, plans, bytes, settings }, trust, session);
    },
  };
  return plans.map((saved) => storedPlan(saved, origin));
}

/** `places`: the positions of its changes; absent: those in its declarations. */
export function storedPlan(
  saved: SavedPlan,
  origin: Pick<StoredPlan, 'folder' | 'settings' | 'policies' | 'verify'>,
  {
    rehearsal,
    places = saved.declared,
  }: { rehearsal?: Rehearsal | undefined; places?: readonly DesiredResource[] } = {},
): StoredPlan {
  return { ...stackPlan(saved.plan, places, rehearsal), saved, ...origin };
}

/**
 * Saves plans, none of which may be refused, in a file, to be applied in this order; `signing` signs them together.
 * Errors: `saved.unwritable`, and those of signatures.
 */
export async function save(
  session: Session,
  plans: readonly (NewPlan | StoredPlan)[],
  file: string,
  { signing, onSaved }: { readonly signing?: Signing | undefined; readonly onSaved?: () => void },
): Promise<Statement | undefined> {
  const saved = await Promise.all(
    plans.map((plan) => ('saved' in plan ? plan.saved : toSavedPlan(plan, plan.inputs, session))),
  );
  const bytes = await writeSaved(inOneFile(saved), file, session);
  onSaved?.();
  const settings = plans[0]?.settings;
  if (signing === undefined || settings === undefined) return undefined;
  const [{ signSaved }, { subjectOf }] = await Promise.all([
    import('../signing/signSaved.ts'),
    import('../signing/target.ts'),
  ]);
  const { cwd, options } = session;
  const plan = subjectOf(saved.map((each) => each.plan));
  return signSaved({ plan, bytes, path: file, cwd, settings, embedded: options.embedded }, signing);
}

/**
 * Drops the facts that a record exists which an earlier plan of the file replaces: later plans will refer to the new
 * record.
 */
function inOneFile(plans: readonly SavedPlan[]): readonly SavedPlan[] {
  const replaced = new Set<ResourceId>();
  return plans.map((saved) => {
    const facts = saved.facts.filter(({ fact, ref }) => fact !== 'exists' || !replaced.has(formatRef(ref)));
    for (const { id, action } of saved.plan.changes) if (action === 'replace') replaced.add(id);
    return { ...saved, facts };
  });
}

/** The session of a stored plan: in the folder of its inputs, and for its org. */
export function sessionOf<S extends Session>({ folder, saved: { plan } }: StoredPlan, session: S): S {
  return { ...session, cwd: folder, options: { ...session.options, org: plan.org } };
}

/**
 * Checks everything that needs no platform: the signatures, and the present policies. Returns the plan with their
 * refusals. Warnings were reported at planning. Each policy from planning must still exist.
 */
export async function checkSaved(stored: StoredPlan, trust: Trust): Promise<Plan> {
  await verify(stored, trust);
  const { plan, declared, judged } = stored.saved;
  const policies = await stored.policies();
  const plannedPolicies = judged?.policies ?? [];
  const verdict = await policies?.judge({ desired: [...declared, ...(judged?.beside ?? [])], plan });
  const missing = plannedPolicies.filter((id) => verdict?.policies.includes(id) !== true);
  const errors = (verdict?.problems ?? []).filter(({ severity }) => severity === 'error');
  const missingProblems = missing.map((id) => {
    const message = `the plan was made under the policy ${id}, which is not here any more`;
    const hint = 'Apply it where its policies are; or plan again, if it was meant to go.';
    return fileProblem({ file: 'gantry.yaml', line: 1, column: 1 }, 'policies.missing', message, hint);
  });
  // Policies that cannot be loaded are also missing; the load error is reported instead.
  const problems = errors.some(({ rule }) => rule.startsWith('policies.')) ? errors : [...errors, ...missingProblems];
  return judgePlan(plan, { problems, notes: [], imposed: verdict?.imposed ?? new Set() });
}

/** Errors: `saved.unsigned`, and those of signatures. */
export async function verify(plan: NewPlan | StoredPlan, trust: Trust): Promise<void> {
  if ('saved' in plan && plan.verify !== undefined) return plan.verify(trust);
  if (trust.signedBy === undefined && trust.approvedBy === undefined) return;
  throw new ToolError({
    code: 'saved.unsigned',
    message: 'a signature is required, but this plan was not opened from a file',
    hint: 'Save it with `sign`, open the file, and apply the opened plan.',
  });
}

/**
 * The remaining changes of a later plan of a file, with their refusals, checked before the first plan writes. Errors:
 * `plan.stale`, and those of secrets.
 */
export async function checkLaterPlan(session: Session, platform: Platform, stored: StoredPlan): Promise<Plan> {
  const { saved, settings, verify: signed } = stored;
  const remaining = await previewRemaining(saved, platform, sessionOf(stored, session));
  if (isIdlePlan(remaining)) return remaining;
  const now = { nowMs: Date.now(), isSigned: signed !== undefined };
  return { ...remaining, refusals: [...remaining.refusals, ...refuseSaved(saved, effectiveLimits(settings), now)] };
}

/** A saved plan in its present state. */
export interface Resumed {
  /** The remaining changes. */
  readonly remaining: Plan;
  /** Undefined if no change remains. `shown`: the plan as approved. */
  readonly runnable: (RunnablePlan & { readonly shown: Plan }) | undefined;
}

/** Resumes a checked plan. Errors: `plan.stale`, `plan.fact`, and those of secrets. */
export async function resumeSaved(
  session: Session,
  platform: Platform,
  stored: StoredPlan,
  { desired, ...trust }: Trust & { readonly desired?: readonly DesiredResource[] | undefined } = {},
): Promise<Resumed> {
  const { saved, settings } = stored;
  const limits = effectiveLimits(settings);
  const isSigned = stored.verify !== undefined; // plans from files were verified
  const inputs = desired === undefined ? undefined : () => Promise.resolve(desired);
  const { remaining, runnable } = await phase(session, 'check', () =>
    resumeSavedPlan(saved, platform, { session: sessionOf(stored, session), limits, isSigned, inputs }),
  );
  if (runnable === undefined) return { remaining, runnable };
  await session.tell({ type: 'plan', plan: runnable.plan, from: explainableOf(saved) });
  async function refusedNow() {
    await verify(stored, trust);
    return refuseSaved(saved, limits, { nowMs: Date.now(), isSigned });
  }
  return { remaining, runnable: { ...runnable, refused: refusedPlan(runnable.plan), refusedNow } };
}
