import { compareText } from '../../base/text/compareText.ts';
import type { Reference } from '../../kinds/shape/references.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { formatRef, type ResourceId } from '../../schema/record/ref.ts';
import type { PlanContext } from '../model/planContext.ts';
import { addTo } from '../record/multimap.ts';

/** A live record that refers to something. */
export interface Referrer {
  readonly live: LiveResource;
  readonly reference: Reference;
}

/** Live referrers, by target. Only live records count: the platform checks what they contain. */
export type Referrers = ReadonlyMap<ResourceId, readonly Referrer[]>;

/** Every live record that is known: those read by owner or name, and what the closures of GVCs list. */
export function knownLive(planning: PlanContext): ReadonlyMap<ResourceId, LiveResource> {
  const { resources, closures } = planning.snapshot;
  const all = new Map<ResourceId, LiveResource>();
  for (const closure of closures.values()) for (const child of closure.children) all.set(child.id, child);
  for (const [id, live] of resources) all.set(id, live);
  return new Map([...all].sort(([a], [b]) => compareText(a, b)));
}

export function findReferrers(known: ReadonlyMap<ResourceId, LiveResource>, planning: PlanContext): Referrers {
  const referrers = new Map<ResourceId, Referrer[]>();
  for (const live of known.values()) {
    for (const reference of planning.liveReferences(live)) {
      if (reference.strength === 'none') continue;
      const target = formatRef(reference.target);
      addTo(referrers, target, { live, reference });
    }
  }
  return referrers;
}
