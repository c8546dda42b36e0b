import { isBoundByMutualLink } from '../../kinds/kindFacts.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { formatRef } from '../../schema/record/ref.ts';
import type { Draft } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';

/**
 * A GVC or workload and an IP set that name each other bind its addresses: until one of them stops, the platform
 * refuses to delete the IP set, although neither reference is required (platform/ipset.addresses).
 */
export function bindsAddress(referrer: LiveResource, { kind, live }: Draft, planning: PlanContext): boolean {
  if (!isBoundByMutualLink(kind) || live === undefined) return false;
  return planning.liveReferences(live).some(({ target }) => formatRef(target) === referrer.id);
}
