import type { Settings } from '../../automation/settings/settings.ts';
import type { PlanBytes } from '../../automation/signing/statement.ts';
import type { Plan } from '../../plan/model/plan.ts';
import type { CommandContext } from '../line/context.ts';
import type { ApplyCommandOptions } from '../line/options.ts';
import { demandsOf } from './demands.ts';

interface ToVerify {
  readonly plan: Plan;
  readonly bytes: PlanBytes;
  readonly settings: Settings;
}

/** Refuses a saved plan without the signatures that are demanded. Errors: as `demandSignatures`, and those of keys. */
export async function verifySignatures(
  context: CommandContext<ApplyCommandOptions>,
  path: string,
  { plan, bytes, settings }: ToVerify,
): Promise<void> {
  const demands = demandsOf(context.options);
  if (!demands.signature && demands.approvals === 0) return;
  const [{ readSignatures }, { targetOf }, { checkWithKeys }, { demandSignatures }] = await Promise.all([
    import('../../automation/signing/signatureFile.ts'),
    import('../../automation/signing/target.ts'),
    import('./signatures.ts'),
    import('../../automation/signing/demandSignatures.ts'),
  ]);
  const target = targetOf(plan, { settings, embedded: context.options.embedded });
  const envelopes = await readSignatures(path, context.cwd);
  demandSignatures(await checkWithKeys(envelopes, { bytes, target }, context), demands);
}
