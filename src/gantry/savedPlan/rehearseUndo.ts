import type { RehearsalInput } from '../../rehearsal/input.ts';
import type { Rehearsal } from '../../rehearsal/rehearsal.ts';
import type { PlannedUndo } from './planUndo.ts';

/** Runs a plan that takes another one back on the platform of this process. It must not be refused. */
export async function rehearseUndo(
  { plan, desired, snapshot, options, request }: PlannedUndo,
  how: Pick<RehearsalInput, 'crash' | 'onPoint'>,
): Promise<Rehearsal> {
  const { rehearse } = await import('../../rehearsal/rehearse.ts');
  return rehearse({ ...how, plan, desired, snapshot, options, request, resume: 'remainder' });
}
