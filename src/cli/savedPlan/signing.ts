import type { Signing } from '../../automation/signing/signPlan.ts';
import type { CommandContext } from '../line/context.ts';
import type { GlobalOptions, SignOptions } from '../line/options.ts';
import { UsageError } from '../line/usageError.ts';

/** The key of `--sign`, read before anything else is done. Errors: `cli.usage`, and those of keys. */
export async function openSigning(
  context: CommandContext<GlobalOptions & SignOptions & { readonly out?: string }>,
): Promise<Signing | undefined> {
  const { sign, out, validFor } = context.options;
  if (sign === undefined) return undefined;
  if (out === undefined) throw new UsageError('--sign signs a saved plan', 'Add --out FILE.');
  const { readSigningKey } = await import('../../automation/signing/signingKey.ts');
  return { key: await readSigningKey(sign, context), validForMs: validFor };
}
