import { type JsonObject, stringAt } from '../base/json/json.ts';
import { present } from '../base/json/present.ts';
import type { LiveResource, Snapshot } from '../manifest/live/snapshot.ts';
import type { Trails, WriteEvent, WrittenBy } from '../manifest/live/writer.ts';
import type { DesiredResource } from '../manifest/model/manifest.ts';
import { ownerOf } from '../manifest/model/ownTags.ts';
import { isContainer } from '../schema/record/kinds.ts';
import { formatRef, type Ref, type ResourceId } from '../schema/record/ref.ts';
import { isBeingReplaced } from './record/replacementMark.ts';

/**
 * Adds the records that a replacement of this stack deleted but did not create again, as they were, and who deleted
 * other records of this stack. Both come from the audit trail, which is read only for declared resources that do not
 * exist.
 */
export async function withUnfinished(
  snapshot: Snapshot,
  desired: readonly DesiredResource[],
  owner: string,
  readTrails: (refs: readonly Ref[]) => Promise<Trails>,
): Promise<Snapshot> {
  const absent = namesToCreate(desired, snapshot);
  if (absent.length === 0) return snapshot;
  const { trails, unread, requests } = await readTrails(absent);
  const deleted = absent.flatMap((ref) => deletedRecord(ref, trails.get(formatRef(ref)), owner) ?? []);
  const deletions = absent.flatMap((ref) => deletionOf(ref, trails.get(formatRef(ref)), owner));
  const isPartlyThere = [...snapshot.resources.values()].some(({ record }) => isOwned(record, owner));
  return {
    ...snapshot,
    requests: snapshot.requests + requests,
    ...present({
      unfinished: deleted.length === 0 ? undefined : new Map(deleted.map((record) => [record.id, record])),
    }),
    ...present({ deletions: deletions.length === 0 ? undefined : new Map(deletions) }),
    ...(unread && isPartlyThere ? { trailUnread: true as const } : {}),
  };
}

/**
 * Names of declared but missing resources, and their previous names. A container is never replaced, and the content of
 * a deleted one was deleted with it.
 */
function namesToCreate(desired: readonly DesiredResource[], { resources }: Snapshot): readonly Ref[] {
  const isAbsent = (ref: Ref): boolean => {
    const inside = ref.gvc === undefined || resources.has(formatRef({ kind: 'gvc', name: ref.gvc }));
    return inside && !isContainer(ref.kind) && !resources.has(formatRef(ref));
  };
  const names = new Map<ResourceId, Ref>();
  for (const { ref, id, lifecycle } of desired) {
    if (lifecycle.part === true || !isAbsent(ref)) continue;
    names.set(id, ref);
    if (lifecycle.previously === undefined) continue;
    const old = { ...ref, name: lifecycle.previously };
    if (isAbsent(old)) names.set(formatRef(old), old);
  }
  return [...names.values()];
}

/** The deleted record; undefined if the last known event of the name is another one. */
function deletedRecord(ref: Ref, writes: readonly WriteEvent[] | undefined, owner: string): LiveResource | undefined {
  const last = lastWrite(writes);
  if (last === undefined || last.action === 'create' || !isBeingReplaced(last.record, owner)) return undefined;
  const { record, version } = last;
  return { ref, id: formatRef(ref), uid: stringAt(record, 'id') ?? '', version, record };
}

/** The deletion of a record that was not deleted for a replacement. */
function deletionOf(
  ref: Ref,
  writes: readonly WriteEvent[] | undefined,
  owner: string,
): readonly (readonly [ResourceId, WrittenBy])[] {
  const last = lastWrite(writes);
  if (last?.action !== 'delete' || !isOwned(last.record, owner) || isBeingReplaced(last.record, owner)) return [];
  const { writer, version, at } = last;
  return [[formatRef(ref), { ...writer, version, at }]];
}

function lastWrite(writes: readonly WriteEvent[] | undefined): WriteEvent | undefined {
  return writes?.find(({ action }) => action !== 'exec');
}

function isOwned(record: JsonObject, owner: string): boolean {
  return ownerOf(record) === owner;
}
