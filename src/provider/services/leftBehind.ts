import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { requestOf } from '../changes/runChange.ts';
import type { ProviderSession } from './providerSession.ts';

/**
 * Was the record, which this configuration has created, left by an apply that was cut off? It is when its creation has
 * begun here and never came to its end, or when the provider block says so; never when a state of this folder has it.
 */
export async function isLeftBehind(
  { creations, settings, states }: ProviderSession,
  live: LiveResource,
): Promise<boolean> {
  const request = requestOf(live);
  const isPlausible = settings.takesOver || (request !== undefined && (await creations.has(request)));
  return isPlausible && (await states.holderOf(live.uid)) === undefined;
}
