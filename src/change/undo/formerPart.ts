import { isObject, type JsonValue } from '../../base/json/json.ts';
import { shapeOf } from '../../kinds/shape/shapeOf.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { claimsOn } from '../../plan/claims/claims.ts';
import { type ItemPair, type ItemPath, mergeItems, withoutShared } from '../../plan/claims/items.ts';
import type { Change } from '../../plan/model/change.ts';
import type { Plan } from '../../plan/model/plan.ts';
import type { Hash } from '../../plan/record/ownership.ts';
import { isDeclarable } from '../../schema/record/kinds.ts';
import { contextOf, refTo } from '../../schema/record/ref.ts';
import { ownableCollections } from '../../schema/shape/ownableCollections.ts';
import { nowhere } from './formerDeclaration.ts';

/**
 * The items that the stack claimed before the change of a part, and those that were there and that it began to claim, as
 * somebody would declare them; perhaps none. What claims are recorded is another matter (`asRecorded`).
 */
export function formerPart(
  change: Change,
  kept: LiveResource,
  { org, stack }: Plan,
  hash: Hash,
): DesiredResource | undefined {
  const { kind, name, gvc } = kept.ref;
  if (!isDeclarable(kind)) return undefined;
  const of = { owner: stack, org, hash };
  const before = claimsOn(kept, of);
  const after = claimsOn({ ...kept, record: change.expected?.expose() ?? {} }, of);
  const owns = (path: ItemPath) => before.at(path).mine !== undefined || after.at(path).mine !== undefined;
  // A foreign item is included if something inside it is owned: it gives the position.
  const item = ({ collection, path, live = null, inside }: ItemPair): JsonValue | undefined => {
    if (!isObject(live) || ownableCollections(collection).size === 0) return owns(path) ? live : undefined;
    const rest = withoutShared(collection, live);
    const picked = inside(rest);
    return picked === rest && !owns(path) ? undefined : picked;
  };
  const merging = { context: contextOf(kept.ref, org), base: 'declared' as const, item };
  return {
    ref: refTo(kind, name, gvc),
    id: kept.id,
    record: mergeItems(merging, shapeOf(kind, kept.record), kept.record, {}),
    lifecycle: { part: true },
    locate: () => nowhere,
  };
}
