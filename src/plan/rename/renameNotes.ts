import { runs } from '../../kinds/kindFacts.ts';
import { isRequired } from '../../kinds/shape/referenceStrength.ts';
import { formatRef, type ResourceId } from '../../schema/record/ref.ts';
import type { Refusal } from '../model/change.ts';
import type { Draft } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import { refuse } from '../model/refusal.ts';
import type { DanglingReferences } from '../references/danglingReferences.ts';
import type { Referrers } from '../references/referrers.ts';
import { type Renaming, renamingsOf } from './rename.ts';

/**
 * Notes on resources under their old names. On a deletion: other stacks may still route to it (referrers that are known
 * are noted on every deletion). On a resource that is only released: which resources still refer to the old name.
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
      const notes = renaming === undefined ? [] : notesOn(renaming, draft, { drafts, referrers }, planning);
      return [id, notes.length === 0 ? draft : { ...draft, notes: [...draft.notes, ...notes] }];
    }),
  );
}

/** Routes and firewalls of other stacks may refer to a workload, and do not prevent its deletion. */
const unread = 'routes of other stacks that lead to it are not looked up: they have to move before it is deleted';

function notesOn(
  { old, next }: Renaming,
  draft: Draft,
  { drafts, referrers }: { readonly drafts: ReadonlyMap<ResourceId, Draft>; readonly referrers: Referrers },
  planning: PlanContext,
): readonly string[] {
  if (draft.action === 'delete') return runs(draft.kind) ? [unread] : [];
  const declared = [...planning.desired.values()].flatMap((resource) =>
    planning
      .desiredReferences(resource)
      .filter(({ target }) => formatRef(target) === old.id)
      .map(({ path }) => `${resource.id} still refers to the old name at ${path}, not to ${next.id}`),
  );
  const foreign = (referrers.get(old.id) ?? [])
    .filter(({ live }) => !planning.desired.has(live.id) && drafts.get(live.id)?.action !== 'delete')
    .map(({ live, reference }) => `${live.id}, which is not declared here, refers to it at ${reference.path}`);
  return [...new Set([...declared, ...foreign])];
}

/** Declared resources that still refer to the old name, which is deleted: the renaming is incomplete. */
export function oldNameRefusals(
  { id }: Draft,
  dangling: DanglingReferences,
  planning: PlanContext,
): readonly Refusal[] {
  const renaming = renamingsOf(planning).byOld.get(id);
  if (renaming === undefined) return [];
  return (dangling.get(id) ?? []).flatMap(({ referrer, reference, written }) => {
    const resource = planning.desired.get(referrer);
    if (resource === undefined || (written && isRequired(reference))) return [];
    const said = planning.desiredReferences(resource).filter(({ path }) => path === reference.path);
    return said
      .filter(({ target }) => formatRef(target) === id)
      .map(({ path, pointer }) => refuse.renameReferenced(referrer, path, resource.locate(pointer), renaming.next.id));
  });
}
