import { isObject, type JsonObject, type JsonValue, own, put } from '../../base/json/json.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { claimsOn } from '../../plan/claims/claims.ts';
import { collectionOf, type ItemPath, itemsOf } from '../../plan/claims/items.ts';
import type { Change } from '../../plan/model/change.ts';
import type { Plan } from '../../plan/model/plan.ts';
import type { Hash } from '../../plan/record/ownership.ts';
import { contextOf, type RecordContext } from '../../schema/record/context.ts';
import { isDeclarable } from '../../schema/record/kinds.ts';
import { refTo } from '../../schema/record/ref.ts';
import { type Collection, ownableCollections, waysToCollections } from '../../schema/shape/ownableCollections.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import { shapeOf } from '../../schema/shape/shapeOf.ts';
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
  const picking = { context: contextOf(kept.ref, org), owns };
  return {
    ref: refTo(kind, name, gvc),
    id: kept.id,
    record: pickObject(picking, shapeOf(kind, kept.record), kept.record, []) ?? {},
    lifecycle: { part: true },
    locate: () => nowhere,
  };
}

interface Picking {
  readonly context: RecordContext;
  readonly owns: (path: ItemPath) => boolean;
}

/** Undefined: nothing of it is owned. */
function pickObject(of: Picking, shape: ObjectShape, record: JsonObject, path: ItemPath): JsonObject | undefined {
  const picked: Record<string, JsonValue> = {};
  for (const [name, way] of waysToCollections(shape)) {
    const value = own(record, name);
    const inside = [...path, name];
    const found =
      way.type !== 'object'
        ? pickItems(of, way, value, inside)
        : isObject(value)
          ? pickObject(of, way, value, inside)
          : undefined;
    if (found !== undefined) put(picked, name, found);
  }
  return Object.keys(picked).length === 0 ? undefined : picked;
}

function pickItems(
  of: Picking,
  collection: Collection,
  value: JsonValue | undefined,
  path: ItemPath,
): JsonValue | undefined {
  const picked = itemsOf(collection, value, of.context).flatMap((item) => {
    if (item.key === undefined) return [];
    const found = pickItem(of, collection, item.value, [...path, item.key]);
    return found === undefined ? [] : [{ key: item.key, value: found }];
  });
  return picked.length === 0 ? undefined : collectionOf(collection, picked);
}

/** A foreign item is included if something inside it is owned: it gives the position. */
function pickItem(of: Picking, collection: Collection, item: JsonValue, path: ItemPath): JsonValue | undefined {
  const shared = ownableCollections(collection);
  if (!isObject(item) || shared.size === 0) return of.owns(path) ? item : undefined;
  const inside: Record<string, JsonValue> = {};
  for (const [name, inner] of shared) {
    const found = pickItems(of, inner, own(item, name), [...path, name]);
    if (found !== undefined) put(inside, name, found);
  }
  if (Object.keys(inside).length === 0 && !of.owns(path)) return undefined;
  return { ...Object.fromEntries(Object.entries(item).filter(([name]) => !shared.has(name))), ...inside };
}
