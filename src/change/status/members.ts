import { present } from '../../base/json/present.ts';
import { compareText } from '../../base/text/compareText.ts';
import type { LiveResource, Snapshot } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { type Hash, isOwned, type Ownership, ownershipOf } from '../../plan/record/ownership.ts';
import type { Ref, ResourceId } from '../../schema/record/ref.ts';

/** A resource of a stack: declared, or owned, or both. */
export interface Member {
  readonly id: ResourceId;
  readonly ref: Ref;
  /** Undefined: nobody knows what is declared. */
  readonly declared: boolean | undefined;
  /** Absent: it is not there, or hidden. */
  readonly live?: LiveResource;
  /** The token may not view it: the permission that it lacks. */
  readonly hidden?: string;
  /** It is there, and belongs to somebody else. */
  readonly foreign: boolean;
}

export interface MembersInput {
  /** Undefined: nobody knows what is declared. */
  readonly desired: readonly DesiredResource[] | undefined;
  /** The resources of the owner, and those that are declared. */
  readonly snapshot: Snapshot;
  readonly owner: string;
  readonly hash: Hash;
}

/**
 * Everything that belongs to a stack, ordered by id, without copies that carry its tags and without released resources.
 */
export function membersOf({ desired, snapshot, owner, hash }: MembersInput): readonly Member[] {
  const ownership = (live: LiveResource): Ownership => ownershipOf(live, owner, snapshot.org, hash);
  const declared = (desired ?? []).flatMap((resource): readonly Member[] => {
    const { id, ref, lifecycle } = resource;
    const live = snapshot.resources.get(id);
    const foreign = live !== undefined && lifecycle.part !== true && !isOwned(ownership(live));
    if (lifecycle.handOver !== undefined && (live === undefined || foreign)) return [];
    const hidden = snapshot.hidden?.get(id);
    return [
      {
        id,
        ref,
        declared: true,
        foreign,
        ...present({ live, hidden }),
      },
    ];
  });
  const known = new Set(declared.map(({ id }) => id));
  const others = [...snapshot.resources.values()]
    .filter((live) => !known.has(live.id) && isOwned(ownership(live)))
    .map((live): Member => {
      const { id, ref } = live;
      return { id, ref, live, declared: desired === undefined ? undefined : false, foreign: false };
    });
  return [...declared, ...others].sort((a, b) => compareText(a.id, b.id));
}
