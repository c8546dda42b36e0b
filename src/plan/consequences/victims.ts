import { compareText } from '../../base/text/compareText.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { isContainer } from '../../schema/record/kinds.ts';
import { contextOf, type ResourceId } from '../../schema/record/ref.ts';
import type { Action } from '../model/change.ts';
import { type Draft, withRefusals } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import { refuse } from '../model/refusal.ts';
import { type GvcLoss, gvcLossesOf, isHit, nameOfLoss } from '../record/gvcLosses.ts';
import { isOwned } from '../record/ownership.ts';
import { unseenIn } from './gvcCascade.ts';

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
    const takes = isContainer(draft.kind) ? taken(draft) : [];
    if (takes.length > 0) found.set(draft.id, withVictims(draft, takes, drafts, planning));
  }
  return found;
}

function taken({ live, expected, expectedThen }: Draft): readonly GvcLoss[] {
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
  const hit = hitBy(takes, inside.children, planning.org).filter((child) =>
    isForeign(child, drafts.get(child.id), planning),
  );
  const victims = hit.map(({ id }) => id).sort(compareText);
  const unseen = unseenIn(draft.name, planning.snapshot);
  const isBlind = unseen.length > 0 && planning.options.allowUnseen !== true;
  const refusals = isBlind ? [refuse.victimsUnseen(draft.name, takes.map(nameOfLoss), unseen)] : [];
  return { ...withRefusals(draft, refusals), takes, ...(victims.length === 0 ? {} : { victims }) };
}

/** The children that are affected. */
export function hitBy(
  takes: readonly GvcLoss[],
  children: readonly LiveResource[],
  org: string,
): readonly LiveResource[] {
  return children.filter(({ ref, record }) => isHit({ kind: ref.kind, record }, takes, contextOf(ref, org)));
}

/** A declaration does not make it ours: it may be a part, handed over, or left out of the plan. */
function isForeign(child: LiveResource, draft: Draft | undefined, planning: PlanContext): boolean {
  if (isOwned(planning.ownership(child))) return false;
  return draft === undefined || draft.part === true || !takesOver.has(draft.action);
}

const takesOver: ReadonlySet<Action> = new Set(['adopt', 'replace', 'create']);
