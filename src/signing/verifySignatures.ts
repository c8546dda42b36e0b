import { ToolError } from '../base/toolError.ts';
import type { SavedPlan } from '../change/savedPlan.ts';
import type { Session, Trust } from '../project/session/session.ts';
import { effectiveLimits, effectiveSigners } from '../project/settings/effectiveLimits.ts';
import type { Settings } from '../project/settings/resolveSettings.ts';
import { hasKeysFor } from '../project/settings/signers.ts';
import { type RequiredSignatures, type RequiringSettings, requiredSignatures } from './requiredApprovals.ts';
import type { PlanBytes } from './statement.ts';

interface ToVerify {
  /** The path of the plan; its signatures are beside it. */
  readonly path: string;
  /** All plans in the file. */
  readonly plans: readonly SavedPlan[];
  readonly bytes: PlanBytes;
  readonly settings: Settings;
}

/**
 * Refuses a saved plan without the signatures that limits, settings and `trust` demand. Errors: as `requireSignatures`,
 * `settings.signers`, and those of keys.
 */
export async function verifySignatures(
  { path, plans, bytes, settings }: ToVerify,
  trust: Trust,
  { options, cwd }: Pick<Session, 'options' | 'cwd'>,
): Promise<void> {
  const signers = effectiveSigners(settings);
  const limits = [...effectiveLimits(settings), ...plans.flatMap(({ options: made }) => made.limits ?? [])];
  const required = requiredSignatures({ trust, signers, limits });
  if (!required.signature && required.approvals === 0) return;
  refuseWithoutKeys(required, { trust, signers });
  const [{ readSignatures }, { subjectOf, targetOf }, { checkWithKeys }, { requireSignatures }] = await Promise.all([
    import('./signatureFile.ts'),
    import('./target.ts'),
    import('./checkWithKeys.ts'),
    import('./requiredApprovals.ts'),
  ]);
  const target = targetOf(subjectOf(plans.map(({ plan }) => plan)), { settings, embedded: options.embedded });
  const envelopes = await readSignatures(path, cwd);
  requireSignatures(await checkWithKeys(envelopes, { bytes, target, signers, trust }, cwd), required);
}

/** Errors: `settings.signers`. */
function refuseWithoutKeys(
  { signature, approvals, by = {} }: RequiredSignatures,
  { trust, signers = [] }: RequiringSettings,
): void {
  if (signature && trust.signedBy === undefined && !hasKeysFor(signers, 'plan')) {
    throw noKeys(`${by.plan}: a signature is required, but no keys are set that may plan`, '--signed-by', 'plan');
  }
  if (approvals > 0 && trust.approvedBy === undefined && !hasKeysFor(signers, 'approval')) {
    throw noKeys(
      `${by.approval}: approvals are required, but no keys are set that may approve`,
      '--approved-by',
      'approval',
    );
  }
}

function noKeys(message: string, flag: string, setting: string): ToolError {
  return new ToolError({
    code: 'settings.signers',
    message,
    hint: `Give ${flag} FILE, or \`signers: {${setting}: FILE}\` in gantry.yaml: a file with public keys.`,
  });
}
