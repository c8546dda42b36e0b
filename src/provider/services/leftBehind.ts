import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { requestOf } from '../changes/runChange.ts';
import type { ProviderSession } from './providerSession.ts';

/**
 * Whether an interrupted apply left this record, which this configuration has created. True if its creation began here
 * and never ended, or if the provider block says so; never if a state of this folder has it.
 */
export async function isLeftBehind(
  { creations, settings, states }: ProviderSession,
  live: LiveResource,
): Promise<boolean> {
  const request = requestOf(live);
  const isPlausible = settings.takesOver || (request !== undefined && (await creations.has(request)));
  return isPlausible && (await states.holderOf(live.uid)) === undefined;
}
