import { outcomeOf } from '../apply/report/outcome.ts';
import { refusedPlan } from '../apply/run/applyErrors.ts';
import { ToolError } from '../base/toolError.ts';
import { refuseSaved } from '../change/saved/savedLimits.ts';
import { refuseNow } from '../plan/checks/limitChecks.ts';
import type { Refusal } from '../plan/model/change.ts';
import { isIdlePlan } from '../plan/model/planState.ts';
import type { Platform } from '../project/platform/platform.ts';
import type { Session } from '../project/session/session.ts';
import type { Trust } from '../project/session/trust.ts';
import { limitsInForce } from '../project/settings/inForce.ts';
import { ApplyError } from './applyError.ts';
import { runError } from './applying/runError.ts';
import { type RunnablePlan, runPlanned } from './applying/runPlanned.ts';
import type { Applied, ApplyOptions, NewPlan, StoredPlan } from './gantry.ts';
import { unlessAborted } from './interruptByAbort.ts';

/** Carries a plan out. Errors: `plan.refused`, those of stored plans, and an `ApplyError`. */
export async function applyPlan(
  plan: NewPlan | StoredPlan,
  { on, signal, stack, signedBy, approvedBy, ...options }: ApplyOptions,
  platform: Platform,
  session: Session,
): Promise<Applied> {
  if (plan.refused !== undefined) throw plan.refused;
  const trust = {
    ...(signedBy === undefined ? {} : { signedBy }),
    ...(approvedBy === undefined ? {} : { approvedBy }),
  };
  await verify(plan, trust);
  const { left, runnable } =
    'saved' in plan ? await continued(plan, platform, session, { signal, stack }) : { left: plan.plan, runnable: plan };
  if (runnable === undefined || isIdlePlan(left)) return nothingDone(left);
  const refused = refusedPlan(runnable.plan);
  if (refused !== undefined) throw refused;

  const startedMs = session.now();
  const refusedNow = async () => {
    await verify(plan, trust);
    return 'saved' in plan ? savedRefusals(plan) : newRefusals(plan);
  };
  const result = await runPlanned({ ...runnable, refusedNow }, platform, { ...options, signal, onEvent: on });
  const applied = { plan: left, outcome: outcomeOf(result), result, elapsedMs: session.now() - startedMs };
  const error = runError(result);
  if (error !== undefined) throw new ApplyError(error, applied);
  return applied;
}

/** Errors: `saved.unsigned`, and those of signatures. */
async function verify(plan: NewPlan | StoredPlan, trust: Trust): Promise<void> {
  if ('saved' in plan && plan.verify !== undefined) return plan.verify(trust);
  if (Object.keys(trust).length === 0) return;
  throw new ToolError({
    code: 'saved.unsigned',
    message: 'a signature is required, but this plan was not opened from a file',
    hint: 'Save it with `sign`, open the file, and apply the opened plan.',
  });
}

/** What limits refuse now of a plan that was made before. */
function newRefusals({ options: { limits, rehearsed } }: NewPlan): readonly Refusal[] {
  return refuseNow(limits ?? [], { nowMs: Date.now(), isRehearsed: rehearsed === true, isSigned: false });
}

function savedRefusals({ saved, settings, verify }: StoredPlan): readonly Refusal[] {
  // What came from a file was verified.
  return refuseSaved(saved, limitsInForce(settings), { nowMs: Date.now(), isSigned: verify !== undefined });
}

async function continued(
  { saved, folder, settings, policies, verify }: StoredPlan,
  platform: Platform,
  session: Session,
  { signal, stack }: { readonly signal: AbortSignal | undefined; readonly stack: ApplyOptions['stack'] },
): Promise<{ readonly left: RunnablePlan['plan']; readonly runnable: RunnablePlan | undefined }> {
  const [{ continueSaved }, { judgeSaved }] = await Promise.all([
    import('./savedPlan/continueSaved.ts'),
    import('./savedPlan/judgeSaved.ts'),
  ]);
  const refused = refusedPlan(await judgeSaved(saved, policies));
  if (refused !== undefined) throw refused;
  const limits = limitsInForce(settings);
  // What came from a file was verified.
  const isSigned = verify !== undefined;
  const inputs = stack === undefined ? undefined : () => Promise.resolve(stack.desired);
  return unlessAborted(
    signal,
    () => continueSaved(saved, platform, { session: { ...session, cwd: folder }, limits, isSigned, inputs }),
    () => platform.client.stopRetrying(),
  );
}

function nothingDone(plan: RunnablePlan['plan']): Applied {
  const result = { done: [], failed: [], skipped: [], requests: 0, verified: true, interrupted: false };
  return { plan, outcome: 'done', result, elapsedMs: 0 };
}
