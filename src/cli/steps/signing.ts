import type { Signing } from '../../signing/signPlan.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { GlobalOptions, SignOptions } from '../../terminal/options.ts';
import { UsageError } from '../../terminal/usageError.ts';

/** The key of `--sign`, read before everything else. Errors: `cli.usage`, and those of keys. */
export async function openSigning(
  context: CommandContext<GlobalOptions & SignOptions & { readonly out?: string }>,
): Promise<Signing | undefined> {
  const { sign, out, validFor } = context.options;
  if (sign === undefined) return undefined;
  if (out === undefined) throw new UsageError('--sign signs a saved plan', 'Add --out FILE.');
  const { readSigningKey } = await import('../../signing/signingKey.ts');
  return { key: await readSigningKey(sign, context), validForMs: validFor };
}
