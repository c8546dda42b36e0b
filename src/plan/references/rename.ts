import { compact } from '../../base/json/present.ts';
import { onceForObject } from '../../base/once.ts';
import type { RenameLoss } from '../../kinds/common/facts.ts';
import { becomesReady, kindFacts, mayStore } from '../../kinds/kindFacts.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { isCustomKind } from '../../schema/record/customKinds.ts';
import { isContainer, type Kind } from '../../schema/record/kinds.ts';
import { formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';
import type { Refusal } from '../model/change.ts';
import { mountedByOne } from '../model/dataLoss.ts';
import type { Draft } from '../model/draft.ts';
import { type PlanContext, unreadFields } from '../model/planContext.ts';
import { refuse } from '../model/refusal.ts';

/** A declared resource, and the live one of this stack that it replaces (`lifecycle.previously`). */
export interface Renaming {
  readonly next: DesiredResource;
  readonly old: LiveResource;
  /** Its GVC is renamed, so it is created anew in the new one. */
  readonly isGvcRenamed: boolean;
  /** A volume set mounted by both, although only one can at a time: the old one must unmount it first. */
  readonly contested: ResourceId | undefined;
}

export interface Renamings {
  readonly byNew: ReadonlyMap<ResourceId, Renaming>;
  readonly byOld: ReadonlyMap<ResourceId, Renaming>;
}

/**
 * The unfinished renamings. A previous name that does not exist, is not ours, or is declared (a problem of the
 * manifests) has no effect: after the apply the plan is empty.
 */
export const renamingsOf = onceForObject((planning: PlanContext): Renamings => {
  const renamed = [...planning.desired.values()].filter(({ lifecycle }) => lifecycle.previously !== undefined);
  if (renamed.length === 0) return none;

  const formerGvc = new Map<string, string>();
  for (const { ref, lifecycle } of renamed) {
    const old = isContainer(ref.kind)
      ? ownedPredecessor({ ...ref, name: lifecycle.previously ?? ref.name }, planning)
      : undefined;
    if (old !== undefined) formerGvc.set(ref.name, old.ref.name);
  }
  const byNew = new Map<ResourceId, Renaming>();
  const byOld = new Map<ResourceId, Renaming>();
  for (const next of planning.desired.values()) {
    const renaming = renamingOf(next, formerGvc, planning);
    if (renaming === undefined || byOld.has(renaming.old.id)) continue;
    byNew.set(next.id, renaming);
    byOld.set(renaming.old.id, renaming);
  }
  return { byNew, byOld };
});

const none: Renamings = { byNew: new Map(), byOld: new Map() };

function renamingOf(
  next: DesiredResource,
  formerGvc: ReadonlyMap<string, string>,
  planning: PlanContext,
): Renaming | undefined {
  const { ref, lifecycle } = next;
  const { previously } = lifecycle;
  const beside = previously === undefined ? undefined : ownedPredecessor({ ...ref, name: previously }, planning);
  if (beside !== undefined)
    return { next, old: beside, isGvcRenamed: false, contested: contestedVolumeSet(next, beside, planning) };

  const gvc = ref.gvc === undefined ? undefined : formerGvc.get(ref.gvc);
  const old = gvc === undefined ? undefined : ownedPredecessor({ ...ref, gvc, name: previously ?? ref.name }, planning);
  return old === undefined ? undefined : { next, old, isGvcRenamed: true, contested: undefined };
}

function ownedPredecessor(ref: Ref, planning: PlanContext): LiveResource | undefined {
  const live = undeclaredLive(ref, planning);
  return live !== undefined && planning.ownership(live).state === 'ours' ? live : undefined;
}

function undeclaredLive(ref: Ref, planning: PlanContext): LiveResource | undefined {
  const id = formatRef(ref);
  return planning.desired.has(id) ? undefined : planning.snapshot.resources.get(id);
}

/** The volume set that both mount although only one workload can at a time (platform/volumeset.volumes). */
function contestedVolumeSet(next: DesiredResource, old: LiveResource, planning: PlanContext): ResourceId | undefined {
  const mounted = new Set(planning.liveReferences(old).map(({ target }) => formatRef(target)));
  const wanted = planning.desiredReferences(next).map(({ target }) => target);
  const shared = wanted.find((target) => {
    const id = formatRef(target);
    const record = planning.desired.get(id)?.record ?? planning.snapshot.resources.get(id)?.record;
    return mounted.has(id) && mountedByOne(target.kind, record ?? {});
  });
  return shared === undefined ? undefined : formatRef(shared);
}

/** Whether it must be ready before the old one is deleted. */
export function awaitsReadiness({ next }: Renaming): boolean {
  return becomesReady(next.ref.kind) && next.lifecycle.wait !== false;
}

/** The draft of a declared resource, described as a renaming if it is one. */
export function asRenamed(draft: Draft, planning: PlanContext): Draft {
  const renaming = renamingsOf(planning).byNew.get(draft.id);
  if (renaming === undefined) return noteForeignPredecessor(draft, planning);
  if (draft.action === 'keep') return draft;
  const refusals = [...draft.refusals, ...renameRefusals(renaming)];
  const wait = draft.wait || awaitsReadiness(renaming);
  if (draft.action !== 'create') return { ...draft, refusals, wait };
  const { contested, next, old } = renaming;
  const unread = unreadFields(next, old).map((field) => refuse.renameUnread(old.id, field));
  const gap = `both mount ${contested}: the old one is deleted first, and nothing serves until this one is ready`;
  const notes = contested === undefined ? draft.notes : [...draft.notes, gap];
  const reason = renaming.isGvcRenamed
    ? `it replaces ${old.id}, whose GVC is renamed`
    : `it is the new name of ${old.id}`;
  return { ...draft, refusals: [...refusals, ...unread], notes, wait, reason, renamedFrom: old.id };
}

/** The resource with the old name is not ours: it stays, and keeps its mounts. */
function noteForeignPredecessor(draft: Draft, planning: PlanContext): Draft {
  const { desired } = draft;
  const previously = desired?.lifecycle.previously;
  if (desired === undefined || previously === undefined || draft.action !== 'create') return draft;
  const stranger = undeclaredLive({ ...desired.ref, name: previously }, planning);
  if (stranger === undefined || renamingsOf(planning).byOld.has(stranger.id)) return draft;
  const contested = contestedVolumeSet(desired, stranger, planning);
  return {
    ...draft,
    notes: [...draft.notes, `${stranger.id} does not belong to this stack, so it is not renamed and stays`],
    refusals: compact([
      ...draft.refusals,
      contested === undefined ? undefined : refuse.mountedByOther(stranger.id, contested),
    ]),
  };
}

function renameRefusals({ next, old, isGvcRenamed, contested }: Renaming): readonly Refusal[] {
  if (isGvcRenamed) return []; // checked for the GVC
  const loss = renameLoss(next.ref.kind);
  const allowed = next.lifecycle.replace === true && loss?.allowed !== false;
  if (allowed) return [];
  return compact([
    loss === undefined ? undefined : refuse.renameLoses(next.ref.kind, old.id, loss.why, loss.allowed),
    contested === undefined ? undefined : refuse.renameMounted(old.id, contested),
  ]);
}

/** Why the live record with an old name is deleted; undefined if it is not an old name. */
export function renamedAwayReason(id: ResourceId, planning: PlanContext): string | undefined {
  const renaming = renamingsOf(planning).byOld.get(id);
  return renaming === undefined ? undefined : `it is renamed to ${renaming.next.id}`;
}

function renameLoss(kind: Kind): RenameLoss | undefined {
  const unknown = isCustomKind(kind) && mayStore(kind);
  return unknown
    ? { why: 'what the old one stores is not known, and would be deleted', allowed: true }
    : kindFacts(kind).renaming;
}
