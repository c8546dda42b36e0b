import { addTo } from '../../base/multimap.ts';
import { isBoundByMutualLink } from '../../kinds/kindFacts.ts';
import { blocksDeletion, isNeeded, isRequired } from '../../kinds/referenceStrength.ts';
import type { Reference } from '../../kinds/references.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { formatRef, type ResourceId } from '../../schema/record/ref.ts';
import { type Draft, writes } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';

export interface Referrer {
  readonly live: LiveResource;
  readonly reference: Reference;
}

/** Live referrers, by target. Only live records count: the platform checks their content. */
export type Referrers = ReadonlyMap<ResourceId, readonly Referrer[]>;

export function findReferrers(planning: PlanContext): Referrers {
  const referrers = new Map<ResourceId, Referrer[]>();
  for (const live of planning.known.values()) {
    for (const reference of planning.liveReferences(live)) {
      if (reference.strength === 'none') continue;
      const target = formatRef(reference.target);
      addTo(referrers, target, { live, reference });
    }
  }
  return referrers;
}

/**
 * A GVC or workload and an IP set that name each other bind its addresses: until one of the references is removed, the
 * platform refuses to delete the IP set, although neither reference is required (platform/ipset.addresses).
 */
export function bindsAddress(referrer: LiveResource, { kind, live }: Draft, planning: PlanContext): boolean {
  if (!isBoundByMutualLink(kind) || live === undefined) return false;
  return planning.liveReferences(live).some(({ target }) => formatRef(target) === referrer.id);
}

/** The references of the record after its change; undefined if undeclared, so that they do not change. */
export function referencesAfter(draft: Draft, planning: PlanContext): readonly Reference[] | undefined {
  if (draft.part !== true) return draft.desired === undefined ? undefined : planning.desiredReferences(draft.desired);
  const { live, expected } = draft;
  return live === undefined || expected === undefined
    ? undefined
    : planning.liveReferences({ ...live, record: expected.expose() });
}

/** Whether the record refers to the target after its change, by any field. An unchanged record keeps its references. */
export function refersAfter(draft: Draft | undefined, target: ResourceId, planning: PlanContext): boolean {
  const after = draft === undefined ? undefined : referencesAfter(draft, planning);
  return after === undefined || after.some((reference) => formatRef(reference.target) === target);
}

/** A reference that dangles after the plan is applied, which the platform accepts. */
export interface DanglingReference {
  /** The remaining record that refers to a deleted one. */
  readonly referrer: ResourceId;
  readonly reference: Reference;
  /** Whether this plan writes its record. */
  readonly written: boolean;
  /** Whether the record needs the target in order to run, and nothing else refuses the deletion. */
  readonly needed: boolean;
}

/** By the id of the deleted resource. Of other owners' referrers, only those that were read are known. */
export type DanglingReferences = ReadonlyMap<ResourceId, readonly DanglingReference[]>;

const none: DanglingReferences = new Map();

/**
 * Records that still refer to a deleted resource (platform/deletion.references). References that block the deletion are
 * omitted: those are refused. `bystanderIds`: records of other owners that are deleted with their GVC.
 */
export function danglingReferences(
  drafts: ReadonlyMap<ResourceId, Draft>,
  bystanderIds: ReadonlySet<ResourceId>,
  planning: PlanContext,
): DanglingReferences {
  const gone = new Set([...drafts.values()].filter(({ action }) => action === 'delete').map(({ id }) => id));
  for (const id of bystanderIds) gone.add(id);
  if (gone.size === 0) return none;

  const dangling = new Map<ResourceId, DanglingReference[]>();
  const collectDangling = (
    referrer: Pick<Draft, 'id' | 'kind'>,
    references: readonly Reference[],
    written: boolean,
  ): void => {
    for (const reference of references) {
      const target = formatRef(reference.target);
      if (!gone.has(target) || blocksDeletion(referrer.kind, reference)) continue;
      const isRefused = written && isRequired(reference); // the platform would refuse the record then
      const needed = !isRefused && isNeeded(referrer.kind, reference);
      addTo(dangling, target, { referrer: referrer.id, reference, written, needed });
    }
  };
  for (const draft of drafts.values()) collectDangling(draft, referencesLeft(draft, planning), writes(draft));
  for (const live of planning.known.values()) {
    if (drafts.has(live.id) || bystanderIds.has(live.id)) continue;
    collectDangling({ id: live.id, kind: live.ref.kind }, planning.liveReferences(live), false);
  }
  return dangling;
}

/** The references of its record after the plan, even where its manifest does not decide them. */
function referencesLeft(draft: Draft, planning: PlanContext): readonly Reference[] {
  const { action, live, desired, expected, expectedThen } = draft;
  if (action === 'delete') return [];
  if (live === undefined) return desired === undefined ? [] : planning.desiredReferences(desired);
  const after = writes(draft) ? (expectedThen ?? expected) : undefined;
  return planning.liveReferences(after === undefined ? live : { ...live, record: after.expose() });
}
