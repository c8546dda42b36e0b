import { limitsInForce, signersInForce } from '../../automation/settings/inForce.ts';
import type { Settings } from '../../automation/settings/settings.ts';
import { namesKeys } from '../../automation/settings/signers.ts';
import type { Demands } from '../../automation/signing/demandSignatures.ts';
import type { PlanBytes } from '../../automation/signing/statement.ts';
import { ToolError } from '../../errors/toolError.ts';
import type { SavedPlan } from '../../plan/saved/savedPlan.ts';
import type { CommandContext } from '../line/context.ts';
import type { ApplyCommandOptions } from '../line/options.ts';
import { type Demanding, demandsOf } from './demands.ts';

interface ToVerify {
  readonly saved: SavedPlan;
  readonly bytes: PlanBytes;
  readonly settings: Settings;
}

/**
 * Refuses a saved plan without the signatures that limits, settings and flags demand. Errors: as `demandSignatures`,
 * `settings.signers`, and those of keys.
 */
export async function verifySignatures(
  context: CommandContext<ApplyCommandOptions>,
  path: string,
  { saved, bytes, settings }: ToVerify,
): Promise<void> {
  const { options, cwd } = context;
  const signers = signersInForce(settings);
  const limits = [...limitsInForce(settings), ...(saved.options.limits ?? [])];
  const demands = demandsOf({ options, signers, limits });
  if (!demands.signature && demands.approvals === 0) return;
  refuseWithoutKeys(demands, { options, signers });
  const [{ readSignatures }, { targetOf }, { checkWithKeys }, { demandSignatures }] = await Promise.all([
    import('../../automation/signing/signatureFile.ts'),
    import('../../automation/signing/target.ts'),
    import('./signatures.ts'),
    import('../../automation/signing/demandSignatures.ts'),
  ]);
  const target = targetOf(saved.plan, { settings, embedded: options.embedded });
  const envelopes = await readSignatures(path, cwd);
  demandSignatures(await checkWithKeys(envelopes, { bytes, target, signers }, context), demands);
}

/** Errors: `settings.signers`. */
function refuseWithoutKeys({ signature, approvals, by = {} }: Demands, { options, signers = [] }: Demanding): void {
  if (signature && options.signedBy === undefined && !namesKeys(signers, 'plan')) {
    throw noKeys(`${by.plan}: a signature is demanded, and no keys are set that may plan`, '--signed-by', 'plan');
  }
  if (approvals > 0 && options.approvedBy === undefined && !namesKeys(signers, 'approval')) {
    throw noKeys(
      `${by.approval}: approvals are demanded, and no keys are set that may approve`,
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
