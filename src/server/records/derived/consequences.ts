import { isContainer } from '../../../schema/record/kinds.ts';
import type { Ref } from '../../../schema/record/ref.ts';
import type { UnitOfWork } from '../../core/session.ts';
import { updateDependentStates } from './dependentStates.ts';
import { applyPlacement } from './placement.ts';

/**
 * Consequences of a write or deletion: volumes for new replicas, addresses for new locations. None of them raises a
 * version (platform/concepts.version).
 *
 * `targets`: what the records refer to, or referred to before. `isPlaced`: a GVC among them has the same locations as
 * before.
 */
export function applyConsequences(
  { platform, tx }: UnitOfWork,
  refs: readonly Ref[],
  targets: readonly Ref[],
  isPlaced = false,
): void {
  updateDependentStates(platform, tx, refs, targets);
  for (const { kind, name } of refs) {
    if (isContainer(kind) && !isPlaced && tx.get({ kind, name }) !== undefined) applyPlacement(platform, tx, name);
    // The query of a GVC may match it now, or no longer.
    if (kind === 'location') applyPlacement(platform, tx);
  }
}
