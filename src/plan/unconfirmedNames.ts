import { references } from '../kinds/references.ts';
import type { Snapshot } from '../manifest/live/snapshot.ts';
import type { DesiredResource } from '../manifest/model/manifest.ts';
import { isRead } from '../schema/record/kinds.ts';
import { contextOf, formatRef, type Ref, type ResourceId } from '../schema/record/ref.ts';
import { type Action, plannedAction } from './model/change.ts';
import type { Plan } from './model/plan.ts';
import { apexesOf } from './order/edges.ts';

const referring: ReadonlySet<Action> = new Set(['create', 'patch', 'replace', 'adopt', 'keep']);

/**
 * Names that a plan takes for absent because lists and queries did not return them: resources it would create, their
 * former names, missing parts and hand-overs, and targets of declared resources.
 *
 * `referenced`: all targets of declared resources.
 */
export function unconfirmedNames(
  { changes }: Pick<Plan, 'changes'>,
  desired: readonly DesiredResource[],
  referenced: readonly Ref[],
  { resources, org }: Pick<Snapshot, 'resources' | 'org'>,
): readonly Ref[] {
  const declared = new Map(desired.map((resource) => [resource.id, resource]));
  const names = new Map<ResourceId, Ref>();
  const add = (ref: Ref): void => {
    const id = formatRef(ref);
    if (!resources.has(id)) names.set(id, ref);
  };
  const missing = new Map(
    referenced.flatMap((ref) => {
      const id = formatRef(ref);
      return isRead(ref.kind) && !resources.has(id) ? [[id, ref] as const] : [];
    }),
  );
  for (const change of changes) {
    const resource = declared.get(change.id);
    if (resource === undefined) continue;
    const isAbsent = change.liveUid === undefined;
    if (isAbsent) add(change.ref);
    const { previously } = resource.lifecycle;
    if (isAbsent && previously !== undefined) add({ ...change.ref, name: previously });
    if (missing.size > 0 && referring.has(plannedAction(change))) missingOf(resource, org, missing).forEach(add);
  }
  return [...names.values()];
}

/** The missing targets of its references, values and waits. */
function missingOf(
  { ref, record, lifecycle, reads = [] }: DesiredResource,
  org: string,
  missing: ReadonlyMap<ResourceId, Ref>,
): readonly Ref[] {
  const referred = references(ref.kind, record, contextOf(ref, org))
    .filter((reference) => reference.org === org)
    .map(({ target }) => formatRef(target));
  const apexes = apexesOf(ref, record).map(formatRef);
  const taken = reads.map(({ id }) => id);
  return [...referred, ...apexes, ...taken, ...(lifecycle.dependsOn ?? [])].flatMap((id) => missing.get(id) ?? []);
}
