import { references } from '../../kinds/references.ts';
import type { SnapshotRequest } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { apexesOf } from '../../plan/order/edges.ts';
import { isDeclarable } from '../../schema/record/kinds.ts';
import { contextOf, formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';

/**
 * The records to read for a plan: those of the owner, the declared ones (also by their old names), and the targets of
 * references. The targets are computed when needed, while the platform answers the first queries.
 */
export function snapshotRequest(desired: readonly DesiredResource[], org: string, owner: string): SnapshotRequest {
  let referenced: readonly Ref[] | undefined;
  return {
    org,
    owner,
    declared: desired.map(({ ref }) => ref),
    get referenced() {
      referenced ??= referencedBy(desired, org);
      return referenced;
    },
  };
}

function referencedBy(desired: readonly DesiredResource[], org: string): readonly Ref[] {
  const declared = new Set(desired.map(({ id }) => id));
  const referenced = new Map<ResourceId, Ref>();
  for (const { ref, record, lifecycle, reads = [] } of desired) {
    for (const read of reads) if (!declared.has(read.id)) referenced.set(read.id, read.ref);
    for (const { target, org: targetOrg } of references(ref.kind, record, contextOf(ref, org))) {
      if (targetOrg !== org) continue;
      const id = formatRef(target);
      if (!declared.has(id)) referenced.set(id, target);
    }
    for (const apex of apexesOf(ref, record)) {
      const id = formatRef(apex);
      if (!declared.has(id)) referenced.set(id, apex);
    }
    if (lifecycle.previously !== undefined) {
      const old = { ...ref, name: lifecycle.previously };
      referenced.set(formatRef(old), old);
    }
    for (const id of lifecycle.dependsOn ?? []) {
      const target = declared.has(id) ? undefined : parseId(id);
      if (target !== undefined) referenced.set(id, target);
    }
  }
  return [...referenced.values()];
}

/** Parses `kind/[gvc/]name` of a declarable kind. */
function parseId(id: ResourceId): Ref | undefined {
  const [kind = '', first, second] = id.split('/');
  if (!isDeclarable(kind) || first === undefined) return undefined;
  return second === undefined ? { kind, name: first } : { kind, gvc: first, name: second };
}
