import { ToolError } from '../../errors/toolError.ts';
import type { SavedPlan } from '../../plan/saved/savedPlan.ts';
import type { Session } from '../session/session.ts';
import { limitsInForce, signersInForce } from '../settings/inForce.ts';
import type { Settings } from '../settings/settings.ts';
import { namesKeys } from '../settings/signers.ts';
import type { Demands } from './demandSignatures.ts';
import { type Demanding, demandsOf } from './demandsOf.ts';
import type { PlanBytes } from './statement.ts';
import type { Trust } from './trust.ts';

interface ToVerify {
  /** Of the plan; its signatures stand beside it. */
  readonly path: string;
  readonly saved: SavedPlan;
  readonly bytes: PlanBytes;
  readonly settings: Settings;
}

/**
 * Refuses a saved plan without the signatures that limits, settings and `trust` demand. Errors: as `demandSignatures`,
 * `settings.signers`, and those of keys.
 */
export async function verifySignatures(
  { path, saved, bytes, settings }: ToVerify,
  trust: Trust,
  { options, cwd }: Pick<Session, 'options' | 'cwd'>,
): Promise<void> {
  const signers = signersInForce(settings);
  const limits = [...limitsInForce(settings), ...(saved.options.limits ?? [])];
  const demands = demandsOf({ trust, signers, limits });
  if (!demands.signature && demands.approvals === 0) return;
  refuseWithoutKeys(demands, { trust, signers });
  const [{ readSignatures }, { targetOf }, { checkWithKeys }, { demandSignatures }] = await Promise.all([
    import('./signatureFile.ts'),
    import('./target.ts'),
    import('./checkWithKeys.ts'),
    import('./demandSignatures.ts'),
  ]);
  const target = targetOf(saved.plan, { settings, embedded: options.embedded });
  const envelopes = await readSignatures(path, cwd);
  demandSignatures(await checkWithKeys(envelopes, { bytes, target, signers, trust }, cwd), demands);
}

/** Errors: `settings.signers`. */
function refuseWithoutKeys({ signature, approvals, by = {} }: Demands, { trust, signers = [] }: Demanding): void {
  if (signature && trust.signedBy === undefined && !namesKeys(signers, 'plan')) {
    throw noKeys(`${by.plan}: a signature is required, but no keys are set that may plan`, '--signed-by', 'plan');
  }
  if (approvals > 0 && trust.approvedBy === undefined && !namesKeys(signers, 'approval')) {
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
