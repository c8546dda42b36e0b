import { present } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import type { SavedPlan } from '../../change/savedPlan.ts';
import type { Plan } from '../../plan/model/plan.ts';
import type { Session, Trust } from '../../project/session/session.ts';
import { effectiveSigners } from '../../project/settings/effectiveLimits.ts';
import type { Settings } from '../../project/settings/resolveSettings.ts';
import type { Signers } from '../../project/settings/signers.ts';
import { checkWithKeys } from '../../signing/checkWithKeys.ts';
import type { Envelope } from '../../signing/envelope.ts';
import { requiredSignatures, requireSignatures } from '../../signing/requiredApprovals.ts';
import { addSignature, readSignatures } from '../../signing/signatureFile.ts';
import { type Signing, signPlan } from '../../signing/signPlan.ts';
import type { PlanBytes, Target } from '../../signing/statement.ts';
import { endpointsOf, subjectOf, targetOf } from '../../signing/target.ts';
import { openPlanFile } from './file.ts';
import { openSavedProject } from './savedProject.ts';

/** A saved plan to approve with a key. */
export interface Approval {
  readonly plans: readonly SavedPlan[];
  readonly bytes: PlanBytes;
  /** Where it may be applied after approval. */
  readonly target: Target;
  readonly signers: readonly Signers[];
  /** Adds the signature to those of the plan. Errors: `saved.unwritable`. */
  sign(): Promise<void>;
}

/**
 * Reads a saved plan for approval, and checks the planner's signature if keys for that are known. Sends nothing to the
 * platform.
 *
 * Errors: those of saved plans, their projects and signatures; `saved.own-approval`.
 */
export async function openApproval(
  file: string,
  { signing, trust }: { readonly signing: Signing; readonly trust: Trust },
  session: Session,
): Promise<Approval> {
  const { cwd, options } = session;
  const { plans, bytes } = await openPlanFile(file, session);
  const { project } = await openSavedProject(session, file, plans);
  const before = await readSignatures(file, cwd);
  const target = approvedTarget(
    subjectOf(plans.map(({ plan }) => plan)),
    planSignature(before, bytes),
    project.settings,
    options.embedded,
  );
  const signers = effectiveSigners(project.settings);
  const checked = await checkWithKeys(before, { bytes, target, signers, trust }, cwd);
  requireSignatures(checked, { ...requiredSignatures({ trust, signers }), approvals: 0 });
  refuseOwn(before, bytes, signing.key.fingerprint);
  return {
    plans,
    bytes,
    target,
    signers,
    sign() {
      const { line } = signPlan({ role: 'approval', plan: bytes, target, nowMs: Date.now() }, signing);
      return addSignature(file, cwd, line);
    },
  };
}

/** The planner's signature of exactly this file, not verified here. */
function planSignature(envelopes: readonly Envelope[], { sha256 }: PlanBytes): Envelope | undefined {
  return envelopes.find(({ statement }) => statement.role === 'plan' && statement.plan.sha256 === sha256);
}

/**
 * Where the plan may be applied: from the present settings, and otherwise from the plan's signature. It is shown before
 * signing, and `apply` compares it with its own target.
 */
function approvedTarget(
  plan: Pick<Plan, 'org' | 'stack'>,
  signed: Envelope | undefined,
  settings: Settings,
  embedded: boolean,
): Target {
  const said = signed?.statement.target;
  const target = { settings: { ...settings, env: settings.env ?? said?.environment }, embedded };
  if (said === undefined || endpointsOf(target).length > 0) return targetOf(plan, target);
  const { env } = target.settings;
  return {
    org: plan.org,
    stack: plan.stack,
    endpoints: said.endpoints,
    ...present({ environment: env }),
  };
}

/** Errors: `saved.own-approval`. */
function refuseOwn(envelopes: readonly Envelope[], bytes: PlanBytes, fingerprint: string): void {
  if (
    planSignature(
      envelopes.filter(({ statement }) => statement.key === fingerprint),
      bytes,
    ) === undefined
  )
    return;
  throw new ToolError({
    code: 'saved.own-approval',
    message: `this key (${fingerprint}) signed the plan, so it cannot approve it`,
    hint: 'Have it approved by somebody else, with another key.',
  });
}
