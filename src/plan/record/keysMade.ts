import { type JsonValue, objectAt, stringAt } from '../../base/json/json.ts';
import { type LiveReference, liveReferences } from '../../manifest/live/liveReference.ts';
import { keyDescription, keyFor } from '../../manifest/live/shownOnce.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { appliedTag } from '../../manifest/model/ownTags.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { readApplied } from './ownership.ts';

/** The descriptions of keys, by account. */
export type Keys = ReadonlyMap<ResourceId, ReadonlySet<string>>;

/** The parts of a plan that contain values shown once. */
interface KeyReaders {
  readonly changes: readonly { readonly awaits?: readonly string[] }[];
  readonly saves?: readonly { readonly value: JsonValue }[];
}

export function keysMadeBy({ changes, saves = [] }: KeyReaders): Keys {
  return keysAmong(
    liveReferences([...changes.flatMap(({ awaits = [] }) => awaits), ...saves.map(({ value }) => value)]),
  );
}

/** The keys whose values these references name. */
export function keysAmong(references: readonly Pick<LiveReference, 'ref' | 'id' | 'path'>[]): Keys {
  const named = [...Map.groupBy(references, ({ id }) => id)].map(([id, of]) => {
    const descriptions = of.map(keyDescription).filter((description) => description !== undefined);
    return [id, new Set(descriptions)] as const;
  });
  return new Map(named.filter(([, descriptions]) => descriptions.size > 0));
}

/**
 * An account before a stack created keys, each of which raised the version by one. If our mark has another version,
 * another client has written since.
 */
export function beforeKeys(live: LiveResource, keys: ReadonlySet<string> = new Set()): LiveResource {
  const mark = stringAt(objectAt(live.record, 'tags'), appliedTag) ?? '';
  const version = versionBefore(live, keys);
  return readApplied(mark)?.version === version ? { ...live, version } : live;
}

/** The version before these keys, if nothing else was written since. */
export function versionBefore({ version, record }: LiveResource, keys: ReadonlySet<string>): number {
  return version - [...keys].filter((description) => keyFor(record, description) !== undefined).length;
}
