import type { ResourceId } from '../../schema/record/ref.ts';
import { type Change, plannedAction } from '../model/change.ts';

/**
 * By the id of what is deleted first, the id of what is created in its place: itself where it is replaced, and the new
 * name of a renaming whose old name has to go first.
 */
export function successionsIn(changes: readonly Change[]): ReadonlyMap<ResourceId, ResourceId> {
  const pairs = changes.flatMap((change): readonly (readonly [ResourceId, ResourceId])[] => {
    const action = plannedAction(change);
    if (action === 'replace') return [[change.id, change.id]];
    const old = action === 'create' ? change.renamedFrom : undefined;
    return old !== undefined && waitsFor(change, old) ? [[old, change.id]] : [];
  });
  return new Map(pairs);
}

function waitsFor({ requires }: Change, on: ResourceId): boolean {
  return requires.some((edge) => edge.on === on && !edge.soft);
}
