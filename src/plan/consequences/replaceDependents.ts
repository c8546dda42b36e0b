import { blocksDeletion } from '../../kinds/shape/referenceStrength.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { isContainer } from '../../schema/record/kinds.ts';
import { formatRef, type ResourceId } from '../../schema/record/ref.ts';
import { draftReplace } from '../draft/replace.ts';
import { draftUpdate } from '../draft/update.ts';
import type { Refusal } from '../model/change.ts';
import { type Draft, withRefusals } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import { refuse } from '../model/refusal.ts';
import { referencesAfter } from '../references/referencesAfter.ts';
import type { Referrer, Referrers } from '../references/referrers.ts';

/**
 * Referrers that block the deletion of a replaced resource are replaced too. A GVC, which would lose its content, is
 * patched instead: it drops the reference first, and sets it again in a second step.
 */
export function replaceDependents(
  given: ReadonlyMap<ResourceId, Draft>,
  referrers: Referrers,
  planning: PlanContext,
): ReadonlyMap<ResourceId, Draft> {
  const drafts = new Map(given);
  const around = new Map<ResourceId, Set<ResourceId>>();
  const run: Run = { around, planning };
  const queue = [...given.values()].filter((draft) => draft.action === 'replace').map((draft) => draft.id);

  for (let target = queue.shift(); target !== undefined; target = queue.shift()) {
    const refusals: Refusal[] = [];
    for (const referrer of (referrers.get(target) ?? []).filter(({ live, reference }) =>
      blocksDeletion(live.ref.kind, reference),
    )) {
      const draft = drafts.get(referrer.live.id);
      if (draft?.action === 'delete' || draft?.action === 'replace' || !stillRefers(draft, target, planning)) continue;

      const next = draft === undefined ? undefined : dependent(draft, referrer, target, run);
      if (next === undefined) refusals.push(refuse.stillReferenced(referrer.live.id, referrer.reference.path));
      else drafts.set(next.id, next);
      if (next?.action === 'replace') queue.push(next.id);
    }
    for (const { desired, live } of newlyReferring(target, drafts, around, planning)) {
      const because = `it refers to ${target} again once that is created again`;
      drafts.set(live.id, changeAround({ desired, live }, target, because, run));
    }
    const replaced = drafts.get(target);
    if (replaced !== undefined) drafts.set(target, withRefusals(replaced, refusals));
  }
  return drafts;
}

/** Does it still refer to the target after its change? An undeclared record keeps all its references. */
export function stillRefers(draft: Draft | undefined, target: ResourceId, planning: PlanContext): boolean {
  if (draft === undefined) return true;
  const after = referencesAfter(draft, planning);
  return (
    after === undefined ||
    after.some((reference) => blocksDeletion(draft.kind, reference) && formatRef(reference.target) === target)
  );
}

interface Run {
  /** By the container, what is left out of it until that is created again. */
  readonly around: Map<ResourceId, Set<ResourceId>>;
  readonly planning: PlanContext;
}

function dependent(draft: Draft, referrer: Referrer, target: ResourceId, run: Run): Draft | undefined {
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
  return changeAround({ desired, live }, target, because, run);
}

interface Existing {
  readonly desired: DesiredResource;
  readonly live: LiveResource;
}

/** Containers that begin to refer to a child which is replaced: they wait for the new one in a second step. */
function newlyReferring(
  target: ResourceId,
  drafts: ReadonlyMap<ResourceId, Draft>,
  around: ReadonlyMap<ResourceId, ReadonlySet<ResourceId>>,
  planning: PlanContext,
): readonly Existing[] {
  return planning.desiredReferrers(target).flatMap(({ id, path }) => {
    const { action, desired, live } = drafts.get(id) ?? {};
    if (action !== 'patch' || desired === undefined || live === undefined) return [];
    if (around.get(id)?.has(target) === true) return [];
    const refers = planning
      .desiredReferences(desired)
      .some((each) => each.path === path && each.strength === 'second-step');
    return refers ? [{ desired, live }] : [];
  });
}

function changeAround(
  { desired: resource, live }: Existing,
  target: ResourceId,
  because: string,
  { around, planning }: Run,
): Draft {
  const targets = around.get(live.id) ?? new Set();
  around.set(live.id, targets.add(target));
  const ownership = planning.ownership(live);
  const applied = ownership.state === 'ours' ? ownership.applied : undefined;
  return draftUpdate({ resource, live, applied, notes: [because], around: targets }, planning);
}
