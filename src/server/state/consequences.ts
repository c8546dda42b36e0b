import type { Ref } from '../../schema/record/ref.ts';
import type { UnitOfWork } from '../core/session.ts';
import { updateDependentStates } from './dependentStates.ts';
import { applyPlacement } from './placement.ts';

/**
 * What the platform does by itself after a write or deletion: volumes for new replicas, addresses for new places.
 * Nothing here raises a version (platform/concepts.version). `targets`: what the records refer to, or referred to
 * before. `isPlaced`: a GVC among them keeps the locations that it had.
 */
export function applyConsequences(
  { platform, tx }: UnitOfWork,
  refs: readonly Ref[],
  targets: readonly Ref[],
  isPlaced = false,
): void {
  updateDependentStates(platform, tx, refs, targets);
  for (const { kind, name } of refs) {
    if (kind === 'gvc' && !isPlaced && tx.get({ kind, name }) !== undefined) applyPlacement(platform, tx, name);
    // It may be found by the query of a GVC, or not any more.
    if (kind === 'location') applyPlacement(platform, tx);
  }
}
