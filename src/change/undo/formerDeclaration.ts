import { type JsonObject, type JsonValue, mapMembers, objectAt, own, put, sameJson } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { present } from '../../base/json/present.ts';
import { shapeOf } from '../../kinds/shape/shapeOf.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { Lifecycle } from '../../manifest/model/lifecycle.ts';
import type { DesiredResource, Position } from '../../manifest/model/manifest.ts';
import { appliedTag, ownTagPrefix } from '../../manifest/model/ownTags.ts';
import { parsePatterns, patternsBelow } from '../../patch/model/place.ts';
import { tagHash } from '../../plan/claims/items.ts';
import type { Change } from '../../plan/model/change.ts';
import { type AppliedRecord, type Hash, readApplied, wasRecorded } from '../../plan/record/ownership.ts';
import { isKey, servicePointers, shapeFacts, withoutFields } from '../../plan/record/shapeFacts.ts';
import { isDeclarable } from '../../schema/record/kinds.ts';
import { isProtected, protectedTag } from '../../schema/record/protection.ts';
import { type Ref, refTo } from '../../schema/record/ref.ts';
import { formatPath, touches } from '../../schema/shape/paths.ts';
import { fieldShape, type ObjectShape } from '../../schema/shape/shape.ts';

/** The position of what comes from a saved record: no file declares it. */
export const nowhere: Position = { file: '(what was live before)', line: 1, column: 1 };

/** How a resource comes back: changed back, created again, or taken over again. */
export type Return = 'restored' | 'created' | 'adopted';

/** A change to undo. */
export interface Undone {
  readonly change: Change;
  /** The resource before the change. */
  readonly live: LiveResource;
  /** The declared lifecycle at the change. */
  readonly declared: Lifecycle | undefined;
  readonly way: Return;
  /** The resource that replaced it, which it replaces in turn, as in a renaming. */
  readonly successor: Ref | undefined;
  readonly hash: Hash;
}

interface Former extends Undone {
  readonly applied: AppliedRecord | undefined;
}

/**
 * The state before a change, as a declaration: what the stack declared then, and what the change touched. Fields that
 * others wrote or the platform chose stay undeclared, so that the stack does not adopt them. Undefined for kinds that
 * cannot be declared.
 */
export function formerDeclaration(undone: Undone): DesiredResource | undefined {
  const { live, successor } = undone;
  const { kind, name, gvc } = live.ref;
  if (!isDeclarable(kind)) return undefined;
  const applied = readApplied(String(own(objectAt(live.record, 'tags'), appliedTag) ?? ''));
  const former: Former = { ...undone, applied };
  const tags = formerTags(former);
  const visible = withoutPlatforms(shapeOf(kind, live.record), live.record, undone.declared?.untyped);
  const chosen = undone.way === 'created' ? [] : chosenByOthers(former, visible);
  const record = withoutFields(visible, chosen);
  return {
    ref: refTo(kind, name, gvc),
    id: live.id,
    record: { ...record, tags },
    lifecycle: {
      ...formerLifecycle(former),
      // The undone plan may have begun to record it: then it would be removed as its own.
      ...(chosen.length === 0
        ? {}
        : { ignore: chosen.map((each) => formatPath(shapeOf(kind, visible), visible, each)) }),
      ...(successor !== undefined && successor.gvc === gvc ? { previously: successor.name, replace: true } : {}),
    },
    locate: () => nowhere,
  };
}

/**
 * Without sensitive fields, whose values are not in the file, and without what the platform adds to its envelope: no
 * stack has written that, and beside a sensitive field the file has a mask in its place.
 */
function withoutPlatforms(shape: ObjectShape, record: JsonObject, untyped: readonly string[] = []): JsonObject {
  const { sensitive } = shapeFacts(shape);
  const isSaid = (name: string): boolean =>
    fieldShape(shape, name) !== undefined || patternsBelow(parsePatterns(untyped), name).length > 0;
  return mapMembers(record, (value, name) => (sensitive.includes(name) || !isSaid(name) ? undefined : value));
}

/** The tags that the stack had set, and those that the change touched. */
function formerTags({ change, live: { record }, applied, way, hash }: Former): JsonObject {
  const after = objectAt(change.expectedThen?.expose() ?? change.expected?.expose() ?? {}, 'tags');
  const tags: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(objectAt(record, 'tags'))) {
    if (key.startsWith(ownTagPrefix) || key === protectedTag) continue;
    const touched = change.action !== 'forget' && !sameJson(own(after, key), value);
    const back =
      way === 'created' ? !key.startsWith('scheme/') : touched || applied?.holds?.has(tagHash(key, hash)) === true;
    if (back) put(tags, key, value);
  }
  return tags;
}

/** The fields that the platform had chosen by itself, or somebody else had written, and the change did not touch. */
function chosenByOthers({ change, live, applied, hash }: Former, record: JsonObject): readonly Pointer[] {
  const shape = shapeOf(live.ref.kind, record);
  const touched = (path: string): boolean => change.fields.some((field) => touches(field.path, path));
  const chosen = servicePointers(shape, record).filter((pointer) => {
    const path = formatPath(shape, record, pointer);
    return !touched(path) && !wasRecorded(applied?.fields, path, hash);
  });
  // Who chose the key of an item chose the item; it stays as it is, unless the change touched something in it.
  const keys = chosen.filter((pointer) => isKey(shape, pointer));
  const items = keys.map((pointer) => pointer.slice(0, -1)).filter((item) => !touched(formatPath(shape, record, item)));
  const isInside = (pointer: Pointer): boolean =>
    items.some((item) => item.length <= pointer.length && item.every((step, index) => step === pointer[index]));
  return [...items, ...chosen.filter((pointer) => !keys.includes(pointer) && !isInside(pointer))];
}

function formerLifecycle({ change, live: { record }, applied, declared, way }: Former): Lifecycle {
  const after = change.expectedThen?.expose() ?? change.expected?.expose() ?? {};
  const guarded = isProtected(record);
  const { untyped, sensitive } = declared ?? {};
  return {
    ...(guarded ? { protect: true } : isProtected(after) ? { protect: false } : {}),
    ...(applied?.retain === true ? { retain: true } : {}),
    ...(way === 'adopted' ? { adopt: true } : {}),
    ...present({ untyped, sensitive }),
  };
}
