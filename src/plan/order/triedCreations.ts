import { isNamedByHost } from '../../kinds/kindFacts.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import type { Change, Edge } from '../model/change.ts';
import { successionsIn } from './successions.ts';

/**
 * By the id of what is deleted first: the creations that replace it and can be tried before the deletion, if the
 * platform offers dry runs.
 *
 * Not tried: creations that wait for something that only follows the deletion, because the platform would refuse them;
 * children that are deleted with their GVC, because they have no request of their own; and domains, because the dry run
 * uses another name.
 */
export function triedCreations(changes: readonly Change[]): ReadonlyMap<ResourceId, Change> {
  const byId = new Map(changes.map((change) => [change.id, change]));
  const tried = new Map<ResourceId, Change>();
  for (const [id, next] of successionsIn(changes)) {
    const [deleted, created] = [byId.get(id), byId.get(next)];
    if (deleted === undefined || created?.create === undefined) continue;
    if (deleted.via !== undefined || isNamedByHost(created.kind)) continue;
    if (isComplete(created, deleted)) tried.set(id, created);
  }
  return tried;
}

/** Is everything there before the deletion that the creation waits for? */
function isComplete({ id, requires }: Change, deleted: Change): boolean {
  const before = deleted.id === id ? (deleted.deleteRequires ?? []) : deleted.requires;
  return requires.every((edge) => edge.on === deleted.id || before.some((other) => isSame(edge, other)));
}

function isSame(edge: Edge, other: Edge): boolean {
  return edge.on === other.on && edge.step === other.step;
}
