import { storesData } from '../../kinds/kindFacts.ts';
import type { LiveResource, Snapshot } from '../../manifest/live/snapshot.ts';
import { isContainer, type Kind, kindNamed } from '../../schema/record/kinds.ts';
import { formatRef, type ResourceId } from '../../schema/record/ref.ts';
import type { Refusal } from '../model/change.ts';
import { type Draft, withRefusals } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import { refuse } from '../model/refusal.ts';

export interface GvcCascades {
  /** The drafts, with `via` and `cascadesTo` for children that are deleted with their GVC. */
  readonly drafts: ReadonlyMap<ResourceId, Draft>;
  /** Records that are deleted with a GVC although the stack does not own them, by the id of the GVC. */
  readonly bystanders: ReadonlyMap<ResourceId, readonly LiveResource[]>;
}

/**
 * Deleting a GVC deletes its content. Owned children are deleted by its DELETE; volume sets, and what mounts them,
 * first by their own requests; the rest are bystanders.
 */
export function cascadeGvcDeletions(given: ReadonlyMap<ResourceId, Draft>, planning: PlanContext): GvcCascades {
  const bystanders = new Map<ResourceId, readonly LiveResource[]>();
  const containers = [...given.values()].filter((draft) => draft.action === 'delete' && isContainer(draft.kind));
  if (containers.length === 0) return { drafts: given, bystanders };
  const drafts = new Map(given);
  const children = Map.groupBy(planning.known.values(), ({ ref }) => ref.gvc);

  for (const container of containers) {
    const inside = children.get(container.name) ?? [];
    const undeclared = inside.filter((child) => !planning.desired.has(child.id));
    const owned = undeclared.filter((child) => drafts.get(child.id)?.action === 'delete');
    const strangers = undeclared.filter((child) => drafts.get(child.id)?.action !== 'delete');

    const first = deletedFirst(owned, strangers, planning);
    const along = owned.filter((child) => !first.has(child.id));
    for (const child of along) {
      const draft = drafts.get(child.id);
      if (draft !== undefined) drafts.set(child.id, { ...draft, via: container.id });
    }
    for (const child of strangers) drafts.delete(child.id);

    bystanders.set(container.id, strangers);
    const cascadesTo = [...along, ...strangers].map((child) => child.id).sort();
    const refusals = unlistedRefusals(container.name, planning);
    const isUntold = planning.snapshot.closures.get(container.name)?.views === 'untold';
    const notes = isUntold ? [...(container.notes ?? []), untold] : container.notes;
    drafts.set(container.id, withRefusals({ ...container, cascadesTo, notes }, refusals));
  }
  return { drafts, bystanders };
}

const untold = 'the platform does not say what this token may view: what its lists leave out would be deleted as well';

/** The content of the GVC must be known completely. */
function unlistedRefusals(gvc: string, { snapshot, options }: PlanContext): readonly Refusal[] {
  const closure = snapshot.closures.get(gvc);
  if (closure?.known !== true) return [refuse.closureUnknown(gvc, closure?.because)];
  // Cut without a sign: what else it lacks is not known.
  const listed = new Set(closure.children.map(({ id }) => id));
  const missed = [...snapshot.resources.values()].find(({ ref, id }) => ref.gvc === gvc && !listed.has(id));
  if (missed !== undefined) return [refuse.closureUnknown(gvc, `the list left out ${missed.id}`)];
  const unseen = unseenIn(gvc, snapshot);
  return unseen.length === 0 || options.allowUnseen === true ? [] : [refuse.deletesUnseen(gvc, unseen)];
}

/**
 * The kinds whose records in a GVC the token cannot all view: as the platform tells, or because one is known that it
 * cannot view. A platform that tells nothing has not said no.
 */
export function unseenIn(gvc: string, { closures, hidden = new Map() }: Snapshot): readonly Kind[] {
  const { unseen = [] } = closures.get(gvc) ?? {};
  const met = [...hidden.keys()].flatMap((id) => {
    const [kind, home, name] = id.split('/');
    return home === gvc && name !== undefined ? (kindNamed(kind) ?? []) : [];
  });
  return [...new Set([...unseen, ...met])];
}

/** Ids of the volume sets and of what mounts them, unless a bystander uses them. */
function deletedFirst(
  owned: readonly LiveResource[],
  strangers: readonly LiveResource[],
  planning: PlanContext,
): ReadonlySet<ResourceId> {
  const targets = (live: LiveResource): readonly ResourceId[] =>
    planning.liveReferences(live).map((reference) => formatRef(reference.target));
  const needed = new Set(strangers.flatMap(targets));
  const withData = new Set(
    owned.filter((child) => storesData(child.ref.kind) && !needed.has(child.id)).map((child) => child.id),
  );

  const first = new Set(withData);
  for (const child of owned) if (targets(child).some((target) => withData.has(target))) first.add(child.id);
  return first;
}
