import { isNeeded, mayDangle } from '../../kinds/shape/referenceStrength.ts';
import { type Reference, references } from '../../kinds/shape/references.ts';
import type { LiveResource, Snapshot } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { isRead } from '../../schema/record/kinds.ts';
import { contextOf, formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';
import type { ResourceStatus } from './status.ts';

/** The targets of declared resources that may be missing: all other targets of references are kept by the platform. */
export function mayBeMissing(desired: readonly DesiredResource[], org: string): readonly Ref[] {
  const found = new Map<ResourceId, Ref>();
  for (const { ref, record } of desired) {
    for (const { target } of dangling(ref, record, org)) found.set(formatRef(target), target);
  }
  return [...found.values()];
}

function dangling(ref: Ref, record: LiveResource['record'], org: string): readonly Reference[] {
  return references(ref.kind, record, contextOf(ref, org)).filter(
    (reference) => reference.org === org && isRead(reference.target.kind) && mayDangle(ref.kind, reference),
  );
}

/** The status with what its record refers to and is not there. What needs it to run is not ready. */
export function withMissingTargets(
  status: ResourceStatus,
  live: LiveResource | undefined,
  { org, unfound, resources, hidden }: Pick<Snapshot, 'org' | 'unfound' | 'resources' | 'hidden'>,
): ResourceStatus {
  if (live === undefined || unfound === undefined || unfound.size === 0) return status;
  const missing = dangling(live.ref, live.record, org).filter(({ target }) => {
    const id = formatRef(target);
    return unfound.has(id) && !resources.has(id) && hidden?.has(id) !== true;
  });
  if (missing.length === 0) return status;
  const reasons = missing.map(({ path, target }) => `${path} refers to ${formatRef(target)}, which does not exist`);
  const isStuck = status.state === 'ready' && missing.some((reference) => isNeeded(live.ref.kind, reference));
  return { ...status, ...(isStuck ? { state: 'not-ready' } : {}), reasons: [...status.reasons, ...reasons] };
}
