import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { appliedTag } from '../../manifest/model/ownTags.ts';
import { pointerTo } from '../../schema/shape/paths.ts';
import { shapeOf } from '../../schema/shape/shapeOf.ts';
import { type AppliedRecord, type Hash, wasRecorded } from '../record/ownership.ts';
import { valueAt } from '../record/shapeFacts.ts';
import { type Evidence, type Later, laterText, laterWrites } from './evidence.ts';

/** What a stack recorded of the fields that the platform would choose otherwise. */
export interface FieldClaims {
  /** Did this stack set the field, and nobody after it? Then it goes when it is no longer declared. */
  readonly wasSet: (path: string) => boolean;
  /** The fields that it set, that `wasSet` was asked of, and that somebody has set since, or may have. */
  readonly later: ReadonlyMap<string, Later>;
  /** The same without noting it: this stack set the field, or did, and somebody has set it since, or may have. */
  readonly at: (path: string) => 'set' | Later | undefined;
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
  const at = (path: string): 'set' | Later | undefined => {
    if (applied === undefined || !wasRecorded(applied.fields, path, hash)) return undefined;
    const shape = shapeOf(live.ref.kind, live.record);
    const found = laterThan(applied.version, appliedTag, (record) => {
      const pointer = pointerTo(path, shape, record);
      return pointer === undefined ? undefined : valueAt(record, pointer);
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

/** Why fields stay that this stack set and no longer declares. */
export function laterNotes({ later }: FieldClaims): readonly string[] {
  return [...later].map(([path, each]) => `${path} stays: ${laterText(each)}`);
}
