import { type JsonObject, mapMembers, objectAt, own, sameJson } from '../../base/json/json.ts';
import type { Capabilities } from '../../capabilities/capabilities.ts';
import { fillMasks } from '../../kinds/fillMasks.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { ownTagPrefix } from '../../manifest/model/ownTags.ts';
import { fieldChanges } from '../../patch/fieldChanges.ts';
import { bySchema } from '../../patch/shouldMask.ts';
import { contextOf } from '../../schema/record/ref.ts';
import { withoutUnknown } from './platformValues.ts';
import { replacingTag } from './replacementMark.ts';
import { maskRecord, sensitivityOfLive, shapeFacts, withoutAdded } from './shapeFacts.ts';
import { versionsRise, withoutVersion } from './version.ts';

/**
 * A live record in its saved form: without platform-owned fields and secrets. `declared`: declarations that mark
 * further sensitive values.
 */
export function savedRecord({ ref, record }: LiveResource, declared?: DesiredResource): JsonObject {
  const shape = shapeOf(ref.kind, record);
  const written = mapMembers(record, (value, name) =>
    shape.fields.get(name)?.facts.responseOnly === true ? undefined : value,
  );
  return maskRecord(sensitivityOfLive(ref, declared, record), written);
}

/**
 * The sorted paths of fields that differ from the saved record. Secret values cannot be compared, and our own two tags
 * are skipped.
 */
export function movedSince(kept: LiveResource, now: LiveResource, org: string): readonly string[] {
  const shape = shapeOf(now.ref.kind, now.record);
  const hidden = shapeFacts(shape).sensitive;
  const visible = (live: LiveResource): JsonObject => withoutUnknown(withoutAdded(shape, savedRecord(live)), hidden);
  // Marked values cannot be compared either.
  const before = fillMasks(shape, visible(kept), now.record);
  const paths = fieldChanges(bySchema(shape), before, visible(now), contextOf(now.ref, org)).map(({ path }) => path);
  return paths.filter((path) => !path.startsWith(`tags."${ownTagPrefix}`)).sort();
}

/**
 * Whether it is the same record with the same content, regardless of its version and of the mark of a replacement.
 * Secret values must be known on both sides.
 */
export function isUnmoved(before: LiveResource, now: LiveResource, org: string): boolean {
  const { sensitive } = shapeFacts(shapeOf(now.ref.kind, now.record));
  const isSeen = (name: string): boolean => {
    const value = own(before.record, name);
    return value !== undefined && sameJson(value, own(now.record, name));
  };
  return sensitive.every(isSeen) && looksUnmoved(before, now, org);
}

/** The same without the values of secrets. */
export function looksUnmoved(before: LiveResource, now: LiveResource, org: string): boolean {
  return (
    before.uid === now.uid &&
    sameJson(ownTagsOf(before.record), ownTagsOf(now.record)) &&
    movedSince(before, now, org).length === 0
  );
}

/** The same, but the platform may change the values of its own tags with each write; none may be added or removed. */
export function isUnmovedButTags(before: LiveResource, now: LiveResource, org: string): boolean {
  const [tags, since] = [objectAt(before.record, 'tags'), objectAt(now.record, 'tags')];
  const kept = mapMembers(tags, (value, key) => (key.startsWith(ownTagPrefix) ? value : (own(since, key) ?? value)));
  return isUnmoved({ ...before, record: { ...before.record, tags: kept } }, now, org);
}

export interface ReadBefore {
  readonly version: number | undefined;
  /** Undefined if only its version is known. */
  readonly live: LiveResource | undefined;
}

/**
 * Whether no client has written it since it was read, judged by its version, or by its content if versions do not rise.
 */
export function isUnwritten(
  before: ReadBefore,
  now: LiveResource,
  { org, capabilities }: { readonly org: string; readonly capabilities?: Capabilities | undefined },
): boolean {
  if (now.version !== before.version) return false;
  return versionsRise(capabilities) || before.live === undefined || movedSince(before.live, now, org).length === 0;
}

function ownTagsOf(record: JsonObject): JsonObject {
  return mapMembers(objectAt(record, 'tags'), (value, key) => {
    if (!key.startsWith(ownTagPrefix) || key === replacingTag) return undefined;
    return typeof value === 'string' ? withoutVersion(value) : value;
  });
}
