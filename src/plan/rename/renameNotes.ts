import { formatRef, type ResourceId } from '../../schema/record/ref.ts';
import { isRequired } from '../../schema/shape/referenceStrength.ts';
import type { Refusal } from '../model/change.ts';
import type { Draft } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import { refuse } from '../model/refusal.ts';
import type { DanglingReferences } from '../references/danglingReferences.ts';
import type { Referrers } from '../references/referrers.ts';
import { type Renaming, renamingsOf } from './rename.ts';

/**
 * Notes on what goes by its old name. Of what is deleted: that others may lead to it; who is known to is told of any
 * deletion. Of what is only let go of: who still says the old name.
 */
export function noteOldNames(
  drafts: ReadonlyMap<ResourceId, Draft>,
  referrers: Referrers,
  planning: PlanContext,
): ReadonlyMap<ResourceId, Draft> {
  const { byOld } = renamingsOf(planning);
  if (byOld.size === 0) return drafts;
  return new Map(
    [...drafts].map(([id, draft]) => {
      const renaming = byOld.get(id);
      const notes = renaming === undefined ? [] : notesOn(renaming, draft, drafts, referrers, planning);
      return [id, notes.length === 0 ? draft : { ...draft, notes: [...draft.notes, ...notes] }];
    }),
  );
}

/** Routes and firewalls of other stacks name workloads, and nothing keeps such a workload from going. */
const unread = 'routes of other stacks that lead to it are not looked for: they have to move before it goes';

function notesOn(
  { old, next }: Renaming,
  draft: Draft,
  drafts: ReadonlyMap<ResourceId, Draft>,
  referrers: Referrers,
  planning: PlanContext,
): readonly string[] {
  if (draft.action === 'delete') return draft.kind === 'workload' ? [unread] : [];
  const declared = [...planning.desired.values()].flatMap((resource) =>
    planning
      .desiredReferences(resource)
      .filter(({ target }) => formatRef(target) === old.id)
      .map(({ path }) => `${resource.id} still says the old name at ${path}, not ${next.id}`),
  );
  const foreign = (referrers.get(old.id) ?? [])
    .filter(({ live }) => !planning.desired.has(live.id) && drafts.get(live.id)?.action !== 'delete')
    .map(({ live, reference }) => `${live.id} refers to it at ${reference.path}, and is not declared here`);
  return [...new Set([...declared, ...foreign])];
}

/** What is declared still says the old name of what is deleted: half a renaming. */
export function oldNameRefusals(
  { id, action }: Draft,
  dangling: DanglingReferences,
  planning: PlanContext,
): readonly Refusal[] {
  const renaming = action === 'delete' ? renamingsOf(planning).byOld.get(id) : undefined;
  if (renaming === undefined) return [];
  return (dangling.get(id) ?? []).flatMap(({ referrer, reference, written }) => {
    const resource = planning.desired.get(referrer);
    const said = resource && planning.desiredReferences(resource).find(({ path }) => path === reference.path);
    const isSaid = said !== undefined && formatRef(said.target) === id;
    if (resource === undefined || !isSaid || (written && isRequired(reference))) return [];
    return [refuse.renameReferenced(referrer, said.path, resource.locate(said.pointer), renaming.next.id)];
  });
}
