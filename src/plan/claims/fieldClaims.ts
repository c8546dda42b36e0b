import { fieldIn, isObject, type JsonObject, type JsonValue, mapMembers, sameJson } from '../../base/json/json.ts';
import { valueThere } from '../../base/json/valuesAt.ts';
import { shapeOf } from '../../kinds/shape/shapeOf.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { appliedTag } from '../../manifest/model/ownTags.ts';
import { pointerTo } from '../../schema/shape/paths.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import { type AppliedRecord, type Hash, wasRecorded } from '../record/ownership.ts';
import { isKey } from '../record/shapeFacts.ts';
import { type Evidence, type Later, laterNote, laterWrites } from './evidence.ts';
import type { Note } from './note.ts';

/** The claims of a stack on fields that the platform would choose otherwise. */
export interface FieldClaims {
  /** Did this stack set the field, and nobody after it? Then it goes when it is no longer declared. */
  readonly wasSet: (path: string) => boolean;
  /** The fields that it set, that `wasSet` was asked of, and that somebody has set since, or may have. */
  readonly later: ReadonlyMap<string, Later>;
  /**
   * The same without noting it: this stack set the field, or did, and somebody has set it since, or may have. `after`: the
   * record that a write leads to; what it changes in an item is no longer somebody else's.
   */
  readonly at: (path: string, after?: JsonObject) => 'set' | Later | undefined;
}

interface FieldClaimsOf extends Evidence {
  readonly hash: Hash;
}

export function fieldClaimsOn(
  live: LiveResource,
  applied: AppliedRecord | undefined,
  { hash, ...evidence }: FieldClaimsOf,
): FieldClaims {
  const later = new Map<string, Later>();
  const laterThan = laterWrites(live, evidence);
  const at = (path: string, after = live.record): 'set' | Later | undefined => {
    if (applied === undefined || !wasRecorded(applied.fields, path, hash)) return undefined;
    const shape = shapeOf(live.ref.kind, live.record);
    const [before, next] = [live.record, after].map((record) => claimedIn(record, path, shape));
    const found = laterThan(applied.version, appliedTag, (record) => {
      const value = claimedIn(record, path, shape);
      return isObject(value)
        ? mapMembers(value, (member, name) => (stays(name, before, next) ? member : undefined))
        : value;
    });
    return found ?? 'set';
  };
  return {
    later,
    at,
    wasSet: (path) => {
      const claim = at(path);
      if (claim !== undefined && claim !== 'set') later.set(path, claim);
      return claim === 'set';
    },
  };
}

/** The extent of a claim on a field: that on the key of an item covers the item. */
function claimedIn(record: JsonObject, path: string, shape: ObjectShape): JsonValue | undefined {
  const pointer = pointerTo(path, shape, record);
  return pointer && valueThere(record, isKey(shape, pointer) ? pointer.slice(0, -1) : pointer);
}

function stays(name: string, before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  return before === after || sameJson(fieldIn(before, name), fieldIn(after, name));
}

/** Why fields stay that this stack set and no longer declares. */
export function laterNotes({ later }: FieldClaims): readonly Note[] {
  return [...later].map(([path, each]) => laterNote(`${path} stays: `, each));
}
