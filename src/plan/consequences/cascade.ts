import { nonEmpty } from '../../base/json/present.ts';
import { compareText } from '../../base/text/compareText.ts';
import { storesData } from '../../kinds/kindFacts.ts';
import { blocksDeletion } from '../../kinds/referenceStrength.ts';
import type { LiveResource, Snapshot } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { isContainer, type Kind, kindNamed } from '../../schema/record/kinds.ts';
import { contextOf, formatRef, type ResourceId } from '../../schema/record/ref.ts';
import { draftReplace } from '../draft/newRecord.ts';
import { draftUpdate } from '../draft/update.ts';
import type { Action, Refusal } from '../model/change.ts';
import { type Draft, deletes, withRefusals } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import { refuse } from '../model/refusal.ts';
import { type GvcLoss, gvcLossesOf, isHit, nameOfLoss } from '../record/gvcLosses.ts';
import { isOwned } from '../record/ownership.ts';
import { findReferrers, type Referrer, type Referrers, referencesAfter } from '../references/referrers.ts';

/** The drafts with their consequences: `via` and `cascadesTo` for children that are deleted with their GVC. */
export interface Consequences {
  readonly drafts: ReadonlyMap<ResourceId, Draft>;
  readonly referrers: Referrers;
  /** Records that are deleted with a GVC although the stack does not own them, by the id of the GVC. */
  readonly bystanders: ReadonlyMap<ResourceId, readonly LiveResource[]>;
}

/** Adds all that is deleted or replaced as a consequence. */
export function addConsequences(drafted: ReadonlyMap<ResourceId, Draft>, planning: PlanContext): Consequences {
  const { drafts, bystanders } = cascadeGvcDeletions(drafted, planning);
  const referrers: Referrers = [...drafts.values()].some(deletes) ? findReferrers(planning) : new Map();
  return { drafts: replaceDependents(drafts, referrers, planning), referrers, bystanders };
}

/**
 * Deleting a GVC deletes its content. Owned children are deleted by its DELETE; volume sets, and what mounts them,
 * first by their own requests; the rest are bystanders.
 */
function cascadeGvcDeletions(
  given: ReadonlyMap<ResourceId, Draft>,
  planning: PlanContext,
): Omit<Consequences, 'referrers'> {
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
    const cascaded = owned.filter((child) => !first.has(child.id));
    for (const child of cascaded) {
      const draft = drafts.get(child.id);
      if (draft !== undefined) drafts.set(child.id, { ...draft, via: container.id });
    }
    for (const child of strangers) drafts.delete(child.id);

    bystanders.set(container.id, strangers);
    const cascadesTo = [...cascaded, ...strangers].map((child) => child.id).sort();
    const refusals = unlistedRefusals(container.name, planning);
    const isUntold = planning.snapshot.closures.get(container.name)?.views === 'untold';
    const notes = isUntold ? [...container.notes, viewsUnknownNote] : container.notes;
    drafts.set(container.id, withRefusals({ ...container, cascadesTo, notes }, refusals));
  }
  return { drafts, bystanders };
}

const viewsUnknownNote =
  'the platform does not say what this token may view: what its lists leave out would be deleted as well';

/** The content of the GVC must be completely known. */
function unlistedRefusals(gvc: string, { snapshot, options }: PlanContext): readonly Refusal[] {
  const closure = snapshot.closures.get(gvc);
  if (closure?.known !== true) return [refuse.closureUnknown(gvc, closure?.because)];
  // The list was cut silently, so other children may be missing too.
  const listed = new Set(closure.children.map(({ id }) => id));
  const missed = [...snapshot.resources.values()].find(({ ref, id }) => ref.gvc === gvc && !listed.has(id));
  if (missed !== undefined) return [refuse.closureUnknown(gvc, `the list left out ${missed.id}`)];
  const unseen = unviewableKinds(gvc, snapshot);
  return unseen.length === 0 || options.allowUnseen === true ? [] : [refuse.deletesUnseen(gvc, unseen)];
}

/**
 * The kinds whose records in a GVC the token cannot all view: the platform reports it, or such a record is known.
 * Without a report, a kind counts as visible.
 */
export function unviewableKinds(gvc: string, { closures, hidden = new Map() }: Snapshot): readonly Kind[] {
  const { unseen = [] } = closures.get(gvc) ?? {};
  const hiddenKinds = [...hidden.keys()].flatMap((id) => {
    const [kind, home, name] = id.split('/');
    return home === gvc && name !== undefined ? (kindNamed(kind) ?? []) : [];
  });
  return [...new Set([...unseen, ...hiddenKinds])];
}

/** Ids of the volume sets, and of the workloads that mount them, unless a bystander uses them. */
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

/**
 * Adds to each update of a container what it removes, and which affected records do not belong to this stack. If the
 * content of the container was not listed, the update is refused: other owners may be affected.
 */
export function findVictims(
  drafts: ReadonlyMap<ResourceId, Draft>,
  planning: PlanContext,
): ReadonlyMap<ResourceId, Draft> {
  const found = new Map(drafts);
  for (const draft of drafts.values()) {
    const takes = isContainer(draft.kind) ? lossesOfUpdate(draft) : [];
    if (takes.length > 0) found.set(draft.id, withVictims(draft, takes, drafts, planning));
  }
  return found;
}

function lossesOfUpdate({ live, expected, expectedThen }: Draft): readonly GvcLoss[] {
  const after = expectedThen ?? expected;
  if (live === undefined || after === undefined) return [];
  return gvcLossesOf(live.record, after.expose());
}

function withVictims(
  draft: Draft,
  takes: readonly GvcLoss[],
  drafts: ReadonlyMap<ResourceId, Draft>,
  planning: PlanContext,
): Draft {
  const inside = planning.snapshot.closures.get(draft.name);
  if (inside?.known !== true) {
    const refusals = [refuse.victimsUnknown(draft.name, takes.map(nameOfLoss), inside?.because)];
    return { ...withRefusals(draft, refusals), takes };
  }
  const hit = affectedChildren(takes, inside.children, planning.org).filter((child) =>
    isForeign(child, drafts.get(child.id), planning),
  );
  const victims = hit.map(({ id }) => id).sort(compareText);
  const unseen = unviewableKinds(draft.name, planning.snapshot);
  const isBlind = unseen.length > 0 && planning.options.allowUnseen !== true;
  const refusals = isBlind ? [refuse.victimsUnseen(draft.name, takes.map(nameOfLoss), unseen)] : [];
  return { ...withRefusals(draft, refusals), takes, ...nonEmpty({ victims }) };
}

/** The children that are affected. */
export function affectedChildren(
  takes: readonly GvcLoss[],
  children: readonly LiveResource[],
  org: string,
): readonly LiveResource[] {
  return children.filter(({ ref, record }) => isHit({ kind: ref.kind, record }, takes, contextOf(ref, org)));
}

/** A declaration does not make it ours: it may be a part, handed over, or excluded from the plan. */
function isForeign(child: LiveResource, draft: Draft | undefined, planning: PlanContext): boolean {
  if (isOwned(planning.ownership(child))) return false;
  return draft === undefined || draft.part === true || !takeoverActions.has(draft.action);
}

const takeoverActions: ReadonlySet<Action> = new Set(['adopt', 'replace', 'create']);

/**
 * Referrers that block the deletion of a replaced resource are replaced too. A GVC would lose its content, so it is
 * patched instead: it drops the reference first, and sets it again in a second step.
 */
function replaceDependents(
  given: ReadonlyMap<ResourceId, Draft>,
  referrers: Referrers,
  planning: PlanContext,
): ReadonlyMap<ResourceId, Draft> {
  const drafts = new Map(given);
  const omittedTargets = new Map<ResourceId, Set<ResourceId>>();
  const run: Run = { omittedTargets, planning };
  const queue = [...given.values()].filter((draft) => draft.action === 'replace').map((draft) => draft.id);

  for (let target = queue.shift(); target !== undefined; target = queue.shift()) {
    const refusals: Refusal[] = [];
    for (const referrer of (referrers.get(target) ?? []).filter(({ live, reference }) =>
      blocksDeletion(live.ref.kind, reference),
    )) {
      const draft = drafts.get(referrer.live.id);
      if (draft?.action === 'delete' || draft?.action === 'replace' || !stillRefers(draft, target, planning)) continue;

      const next = draft === undefined ? undefined : draftDependent(draft, referrer, target, run);
      if (next === undefined) refusals.push(refuse.stillReferenced(referrer.live.id, referrer.reference.path));
      else drafts.set(next.id, next);
      if (next?.action === 'replace') queue.push(next.id);
    }
    for (const { desired, live } of newlyReferring(target, drafts, omittedTargets, planning)) {
      const because = `it refers to ${target} again once that is created again`;
      drafts.set(live.id, omitTemporarily({ desired, live }, target, because, run));
    }
    const replaced = drafts.get(target);
    if (replaced !== undefined) drafts.set(target, withRefusals(replaced, refusals));
  }
  return drafts;
}

/** Whether it still refers to the target after its change. An undeclared record keeps all its references. */
export function stillRefers(draft: Draft | undefined, target: ResourceId, planning: PlanContext): boolean {
  if (draft === undefined) return true;
  const after = referencesAfter(draft, planning);
  return (
    after === undefined ||
    after.some((reference) => blocksDeletion(draft.kind, reference) && formatRef(reference.target) === target)
  );
}

interface Run {
  /** By container, the targets it omits until they are created again. */
  readonly omittedTargets: Map<ResourceId, Set<ResourceId>>;
  readonly planning: PlanContext;
}

function draftDependent(draft: Draft, referrer: Referrer, target: ResourceId, run: Run): Draft | undefined {
  const { desired, live, part } = draft;
  if (
    part === true ||
    desired === undefined ||
    live === undefined ||
    (draft.action !== 'keep' && draft.action !== 'patch')
  )
    return undefined;
  const because = `${referrer.reference.path} refers to ${target}, which is replaced`;
  if (!isContainer(draft.kind)) return draftReplace(desired, live, because, run.planning);

  // Only a list item, or a field that is written in a second step anyway, can be left out temporarily.
  const spare = typeof referrer.reference.pointer.at(-1) === 'number' || referrer.reference.strength === 'second-step';
  if (!spare) return undefined;
  return omitTemporarily({ desired, live }, target, because, run);
}

interface Existing {
  readonly desired: DesiredResource;
  readonly live: LiveResource;
}

/** Containers that begin to refer to a replaced child: they wait for the new one in a second step. */
function newlyReferring(
  target: ResourceId,
  drafts: ReadonlyMap<ResourceId, Draft>,
  omittedTargets: ReadonlyMap<ResourceId, ReadonlySet<ResourceId>>,
  planning: PlanContext,
): readonly Existing[] {
  return planning.desiredReferrers(target).flatMap(({ id, path }) => {
    const { action, desired, live } = drafts.get(id) ?? {};
    if (action !== 'patch' || desired === undefined || live === undefined) return [];
    if (omittedTargets.get(id)?.has(target) === true) return [];
    const refers = planning
      .desiredReferences(desired)
      .some((each) => each.path === path && each.strength === 'second-step');
    return refers ? [{ desired, live }] : [];
  });
}

function omitTemporarily(
  { desired: resource, live }: Existing,
  target: ResourceId,
  because: string,
  { omittedTargets, planning }: Run,
): Draft {
  const targets = omittedTargets.get(live.id) ?? new Set();
  omittedTargets.set(live.id, targets.add(target));
  const ownership = planning.ownership(live);
  const applied = ownership.state === 'ours' ? ownership.applied : undefined;
  return draftUpdate({ resource, live, applied, notes: [because], omittedTargets: targets }, planning);
}
