import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { partTagOf, partTagPrefix } from '../../manifest/model/partTag.ts';
import { type JsonObject, objectAt } from '../../schema/json/json.ts';
import { contextOf } from '../../schema/record/context.ts';
import { shapeOf } from '../../schema/shape/shapeOf.ts';
import { counted } from '../../schema/text/counted.ts';
import type { Refusal } from '../model/change.ts';
import type { PlanContext } from '../model/planContext.ts';
import { conflicts } from './conflicts.ts';
import { completeForOwner } from './ownersRecord.ts';
import { itemHash, itemsOfOthers, ownerAmong } from './partRecord.ts';

/** What the owner of a resource has to leave to the stacks that own a part of it. */
export interface LeftToOthers {
  /** What is declared, completed with the items of others. */
  readonly record: JsonObject;
  readonly notes: readonly string[];
  /** What would be changed although another stack had it first; `target` is the record as it is to become. */
  readonly conflictsIn: (target: JsonObject) => readonly Refusal[];
}

/** `declared`: what the owner wants of the record, `tags` as they are to be. */
export function leaveToOthers(
  ref: DesiredResource['ref'],
  live: LiveResource,
  declared: JsonObject,
  planning: PlanContext,
): LeftToOthers {
  if (!hasParts(live)) return { record: declared, notes: [], conflictsIn: () => [] };
  const others = itemsOfOthers(live, planning);
  const shape = shapeOf(ref.kind, live.record);
  const context = contextOf(ref, planning.org);
  const ownerAt = (path: readonly string[]) => ownerAmong(others, itemHash(path, planning.options.hash));
  const { record, kept, contested } = completeForOwner({ shape, context, ownerAt }, live.record, declared);

  const tags = Object.keys(objectAt(declared, 'tags')).flatMap((key) => {
    const owner = ownerAt(['tags', key]);
    return owner === undefined ? [] : [{ path: ['tags', key], open: [], owner }];
  });
  return {
    record,
    notes: [...kept].map(([owner, count]) => `${counted(count, 'item belongs', 'items belong')} to ${owner}`),
    conflictsIn: (target) => conflicts({ shape, context, live: live.record, target }, [...contested, ...tags]),
  };
}

/** The other stacks that own a part of it. */
export function partOwners(live: LiveResource, planning: PlanContext): readonly string[] {
  return [...itemsOfOthers(live, planning)].flatMap(([owner, items]) => (items.size === 0 ? [] : [owner]));
}

/** The tags in which other stacks record their parts: they are kept when the record is created anew. */
export function partTagsOfOthers(live: LiveResource, { options }: PlanContext): JsonObject {
  const own = partTagOf(options.owner);
  return Object.fromEntries(
    Object.entries(objectAt(live.record, 'tags')).filter(([key]) => key.startsWith(partTagPrefix) && key !== own),
  );
}

/** Nearly no record has any. */
function hasParts(live: LiveResource): boolean {
  const tags = objectAt(live.record, 'tags');
  for (const key in tags) if (key.startsWith(partTagPrefix)) return true;
  return false;
}
