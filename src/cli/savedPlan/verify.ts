import type { Settings } from '../../automation/settings/settings.ts';
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
  const { signers } = settings;
  const limits = [settings.environment?.settings.limits, saved.options.limits];
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
function refuseWithoutKeys({ signature, approvals, by = {} }: Demands, { options, signers = {} }: Demanding): void {
  if (signature && options.signedBy === undefined && signers.plan === undefined) {
    throw noKeys(`${by.plan}: a signature is demanded, and no keys are set that may plan`, '--signed-by', 'plan');
  }
  if (approvals > 0 && options.approvedBy === undefined && signers.approval === undefined) {
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
