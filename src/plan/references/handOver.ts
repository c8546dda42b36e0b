import { type JsonObject, objectAt, stringAt } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { onceForObject } from '../../base/once.ts';
import { counted } from '../../base/text/counted.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { Body } from '../../manifest/model/body.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { appliedTag, isStateOwner, ownerOf, ownerTag } from '../../manifest/model/ownTags.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { type Draft, makeDraft } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import { refuse } from '../model/refusal.ts';
import { tagPatch } from '../record/claims.ts';
import { type Hash, handedTo } from '../record/ownership.ts';
import { tagBodiesOf, withoutFields } from '../record/shapeFacts.ts';
import { markAfter, versionAfter } from '../record/version.ts';

/**
 * The releasing side of a hand-over (`lifecycle.handOver: STACK`): one PATCH that removes our tags, or nothing if they
 * are already removed. Nothing else of the record is written, and it is never deleted. The other stack declares
 * `lifecycle.adopt: {from}`; the two can be applied in either order, or concurrently.
 */
export function draftHandedOver(resource: DesiredResource, planning: PlanContext): Draft {
  const to = resource.lifecycle.handOver ?? '';
  const live = planning.snapshot.resources.get(resource.id);
  const of = { id: resource.id, ref: resource.ref, desired: resource, ...present({ live }) };
  const keep = (note: string): Draft => ({
    ...makeDraft(of, { action: 'keep', reason: '', notes: [note] }),
    unchecked: true,
  });
  if (planning.hidden(resource.ref) !== undefined) {
    return keep(`it is handed over to the stack ${to}, and this token cannot view it`);
  }
  if (live === undefined) return keep(`it is handed over to the stack ${to}, and does not exist`);

  const ownership = planning.ownership(live);
  switch (ownership.state) {
    case 'ours':
    case 'unrecorded':
      return {
        ...letGo(live, `it is handed over to the stack ${to}`, handedOver(live, to, planning.options.hash), resource),
        desired: resource,
      };
    case 'other': {
      if (ownership.owner === to) return keep(`handed over to the stack ${to}`);
      const refusals = [refuse.handedToOther(to, ownership.owner)];
      return makeDraft(of, { action: 'forget', reason: 'it has another owner', refusals });
    }
    case 'none':
    case 'copy':
    case 'lost':
      return keep(`released for the stack ${to}, which has not adopted it yet`);
  }
}

/** One PATCH that drops our two tags and changes nothing else. `marking`: the declaration that marks its values. */
export function draftForgotten(live: LiveResource, reason: string, marking?: DesiredResource): Draft {
  return letGo(live, reason, forgotten(live.record), marking);
}

function letGo(
  live: LiveResource,
  reason: string,
  { patch, tags }: Release,
  marking: DesiredResource | undefined,
): Draft {
  const own = { id: live.uid, version: live.version, tags: patch };
  return makeDraft(
    { id: live.id, ref: live.ref, live },
    {
      action: 'forget',
      reason,
      patch: new Body(own, own),
      expected: tagBodiesOf(live, marking)({ tags }),
    },
  );
}

/** Whether a record of this other stack is handed over to ours. */
export function isHandedOver({ lifecycle }: DesiredResource, owner: string): boolean {
  return typeof lifecycle.adopt === 'object' && lifecycle.adopt.from === owner;
}

/** Adoption needs no consent of the other stack, so its author may not know of it. */
export function notReleased(owner: string, to: string): string {
  return (
    `the stack ${owner} has not released it: its plans are refused as long as ` +
    `it declares it without lifecycle.handOver: ${to}`
  );
}

/** Terraform does not know that its resources are taken over, and would still change and delete them. */
export function stateNotes(drafts: Iterable<Draft>): readonly string[] {
  const counts = new Map<string, number>();
  for (const { action, live } of drafts) {
    const owner = action !== 'adopt' || live === undefined ? undefined : ownerOf(live.record);
    if (owner !== undefined && isStateOwner(owner)) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  return [...counts].map(
    ([owner, count]) =>
      `${counted(count, 'resource')} adopted from the Terraform state ${owner}: after the apply, take them out of it by ` +
      'terraform state rm ADDRESS, or Terraform goes on to change and delete them',
  );
}

/** Whether it is a stack of this project that no longer declares this resource. */
export function hasDropped(id: ResourceId, owner: string, { options }: PlanContext): boolean {
  const other = options.others?.find((each) => each.owner === owner);
  return other !== undefined && !declaredIn(other.desired).has(id);
}

/** The declarations of another stack by id; the first of duplicates. */
export const declaredIn = onceForObject(
  (desired: readonly DesiredResource[]): ReadonlyMap<ResourceId, DesiredResource> =>
    new Map(desired.toReversed().map((each) => [each.id, each])),
);

/** The other stack that declares this resource, which ours no longer declares. */
export function declaredBy(id: ResourceId, { options }: PlanContext): { owner: string; adopts: boolean } | undefined {
  for (const { owner, desired } of options.others ?? []) {
    const taken = declaredIn(desired).get(id);
    if (taken === undefined || taken.lifecycle.part === true || taken.lifecycle.handOver !== undefined) continue;
    return { owner, adopts: isHandedOver(taken, options.owner) };
  }
  return undefined;
}

/** Our tags when the owner releases a whole record. */
interface Release {
  /** The `tags` of the PATCH. */
  readonly patch: JsonObject;
  /** All tags afterwards. */
  readonly tags: JsonObject;
}

/** Released without a new owner: the owner's claims end, and the claimed items stay. */
function forgotten(record: JsonObject): Release {
  const marks = [ownerTag, appliedTag];
  const tags = withoutFields(
    objectAt(record, 'tags'),
    marks.map((key) => [key]),
  );
  return { patch: tagPatch({}, marks) ?? {}, tags };
}

/**
 * Released to another stack: the claims stay recorded until that one adopts the record and takes them over. Doubts
 * about later writes remain.
 */
function handedOver({ record, version }: LiveResource, to: string, hash: Hash): Release {
  const before = stringAt(objectAt(record, 'tags'), appliedTag);
  if (before === undefined) return forgotten(record);
  const set = { [appliedTag]: handedTo(markAfter(before, version, versionAfter(version)), to, hash) };
  const tags = withoutFields({ ...objectAt(record, 'tags'), ...set }, [[ownerTag]]);
  return { patch: tagPatch(set, [ownerTag]) ?? {}, tags };
}
