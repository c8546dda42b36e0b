import { providerBlock } from '../../hcl/schema/providerBlock.ts';
import { blockProblems, firstUse, readSettings } from '../platform/settings.ts';
import { diagnosticMessage } from '../protocol/diagnostics.ts';
import type { RequestOf, ResponseOf } from '../protocol/messages.ts';
import { readObject } from '../protocol/values.ts';
import type { ProviderSession } from './providerSession.ts';

const { attributes } = providerBlock;

export function validateProviderConfig({
  config,
}: RequestOf<'ValidateProviderConfig'>): ResponseOf<'ValidateProviderConfig'> {
  const problems = blockProblems(readObject(config, attributes) ?? {});
  return { diagnostics: problems.map((problem) => diagnosticMessage(problem, attributes)) };
}

/** Sends no request; the first call that needs the platform does. */
export async function configureProvider(
  session: ProviderSession,
  { config }: RequestOf<'ConfigureProvider'>,
): Promise<ResponseOf<'ConfigureProvider'>> {
  const settings = await readSettings(readObject(config, attributes) ?? {}, session.surroundings);
  if ('diagnostics' in settings) {
    return { diagnostics: settings.diagnostics.map((problem) => diagnosticMessage(problem, attributes)) };
  }
  await session.configure(settings);
  const warnings = await firstUse(settings, session.surroundings);
  return { diagnostics: warnings.map((warning) => diagnosticMessage(warning, attributes)) };
}
