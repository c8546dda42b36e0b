import { formatRef, type ResourceId } from '../schema/ref.ts';
import { type Draft, writes } from './draft.ts';
import type { Planning } from './planning.ts';

/**
 * Notes for what a written record refers to softly and nobody will find: the platform accepts it, and the workload
 * waits, or the route warns, or the policy grants nothing (resources D, column Dangling).
 */
export function noteDangling(
  drafts: ReadonlyMap<ResourceId, Draft>,
  planning: Planning,
): ReadonlyMap<ResourceId, Draft> {
  return new Map(
    [...drafts].map(([id, draft]) => {
      const notes = writes(draft) ? danglingNotes(draft, drafts, planning) : [];
      return [id, notes.length === 0 ? draft : { ...draft, notes: [...draft.notes, ...notes] }];
    }),
  );
}

function danglingNotes(
  { desired }: Draft,
  drafts: ReadonlyMap<ResourceId, Draft>,
  planning: Planning,
): readonly string[] {
  if (desired === undefined) return [];
  return planning.desiredReferences(desired).flatMap(({ strength, target, org, path }) => {
    if (strength !== 'soft' || org !== planning.org) return [];
    const id = formatRef(target);
    const draft = drafts.get(id);
    const goes = draft?.action === 'delete';
    if (goes || (draft === undefined && planning.liveAt(target) === undefined)) {
      return [`${path} refers to ${id}, which ${goes ? 'is deleted' : 'does not exist'}`];
    }
    return [];
  });
}
