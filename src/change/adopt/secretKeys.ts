import { references } from '../../kinds/shape/references.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { contextOf, formatRef, type ResourceId } from '../../schema/record/ref.ts';

/** Which keys of which secrets these records read (`scheme://secret/NAME.KEY`), sorted. */
export function referredKeys(
  resources: readonly LiveResource[],
  org: string,
): (secret: ResourceId) => readonly string[] {
  const keys = new Map<ResourceId, Set<string>>();
  for (const { ref, record } of resources) {
    for (const { target, key } of references(ref.kind, record, contextOf(ref, org))) {
      if (key === undefined) continue;
      const id = formatRef(target);
      keys.set(id, (keys.get(id) ?? new Set()).add(key));
    }
  }
  return (secret) => [...(keys.get(secret) ?? [])].sort();
}
