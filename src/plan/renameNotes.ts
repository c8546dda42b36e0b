import { formatRef, type ResourceId } from '../schema/ref.ts';
import { type Draft, deletes } from './draft.ts';
import type { Holders } from './holders.ts';
import type { Planning } from './planning.ts';
import { type Renaming, renamingsOf } from './rename.ts';

/**
 * Notes on what goes by its old name: who still says that name afterwards, although the platform does not mind. Of
 * others only those are known that were read.
 */
export function noteOldNames(
  drafts: ReadonlyMap<ResourceId, Draft>,
  holders: Holders,
  planning: Planning,
): ReadonlyMap<ResourceId, Draft> {
  const { byOld } = renamingsOf(planning);
  if (byOld.size === 0) return drafts;
  return new Map(
    [...drafts].map(([id, draft]) => {
      const renaming = byOld.get(id);
      const notes = renaming === undefined ? [] : notesOn(renaming, drafts, holders, planning);
      return [id, notes.length === 0 ? draft : { ...draft, notes: [...draft.notes, ...notes] }];
    }),
  );
}

function notesOn(
  { old, next }: Renaming,
  drafts: ReadonlyMap<ResourceId, Draft>,
  holders: Holders,
  planning: Planning,
): readonly string[] {
  const declared = [...planning.desired.values()].flatMap((resource) =>
    planning
      .desiredReferences(resource)
      .filter(({ target }) => formatRef(target) === old.id)
      .map(({ path }) => `${resource.id} still says the old name at ${path}, not ${next.id}`),
  );
  const foreign = (holders.get(old.id) ?? [])
    .filter(({ live }) => !planning.desired.has(live.id) && !goes(drafts.get(live.id)))
    .map(({ live, reference }) => `${live.id} refers to it at ${reference.path}, and is not declared here`);
  return [...new Set([...declared, ...foreign])];
}

function goes(draft: Draft | undefined): boolean {
  return draft !== undefined && deletes(draft);
}
