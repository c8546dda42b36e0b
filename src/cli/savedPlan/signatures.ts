import { type CheckedSignature, checkSignatures } from '../../automation/signing/checkSignatures.ts';
import type { Envelope } from '../../automation/signing/envelope.ts';
import type { PlanBytes, Target } from '../../automation/signing/statement.ts';
import { readTrustedKeys } from '../../automation/signing/trustedKeys.ts';
import type { CommandContext } from '../line/context.ts';
import type { OutputOptions, TrustOptions } from '../line/options.ts';

/** What is to be compared: the bytes of the file, and where it is to be applied. */
export interface Subject {
  readonly bytes: PlanBytes;
  /** Undefined: wherever it is for. */
  readonly target: Target | undefined;
}

/** Compares the signatures of a plan with the keys of `--signed-by` and `--approved-by`. Errors: those of keys. */
export async function checkWithKeys(
  envelopes: readonly Envelope[],
  { bytes, target }: Subject,
  { options, cwd }: Pick<CommandContext<OutputOptions & TrustOptions>, 'options' | 'cwd'>,
): Promise<readonly CheckedSignature[]> {
  const read = (file: string | undefined) => (file === undefined ? [] : readTrustedKeys(file, cwd));
  const [plan, approval] = await Promise.all([read(options.signedBy), read(options.approvedBy)]);
  return checkSignatures(envelopes, { plan: bytes, target, keys: { plan, approval }, nowMs: Date.now() });
}
