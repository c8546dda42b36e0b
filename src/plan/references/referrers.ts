import { addTo } from '../../base/multimap.ts';
import type { Reference } from '../../kinds/shape/references.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { formatRef, type ResourceId } from '../../schema/record/ref.ts';
import type { PlanContext } from '../model/planContext.ts';

/** A live record that refers to something. */
export interface Referrer {
  readonly live: LiveResource;
  readonly reference: Reference;
}

/** Live referrers, by target. Only live records count: the platform checks what they contain. */
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
