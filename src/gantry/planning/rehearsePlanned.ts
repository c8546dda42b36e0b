import type { RehearsalInput } from '../../rehearsal/input.ts';
import type { Rehearsal } from '../../rehearsal/rehearsal.ts';
import type { Planned } from './planFromPlatform.ts';
import { snapshotRequest } from './snapshotRequest.ts';

/** Runs a plan on the platform of this process, which begins with what was read. It must not be refused. */
export async function rehearsePlanned(
  { plan, desired, snapshot, options }: Pick<Planned, 'plan' | 'desired' | 'snapshot' | 'options'>,
  how: Pick<RehearsalInput, 'base' | 'crash' | 'onPoint'>,
): Promise<Rehearsal> {
  const { rehearse } = await import('../../rehearsal/rehearse.ts');
  const request = snapshotRequest(desired, snapshot.org, options.owner);
  return rehearse({ ...how, plan, desired, snapshot, options, request });
}
