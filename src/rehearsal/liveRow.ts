import {
  isObject,
  type JsonObject,
  type JsonValue,
  listAt,
  numberAt,
  objectAt,
  own,
  stringAt,
} from '../base/json/json.ts';
import { hasKeys, partHidden, storesData } from '../kinds/kindFacts.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import type { Ref } from '../schema/record/ref.ts';
import { referencesOf } from '../server/core/referencesOf.ts';
import type { NewRow, OrgDump } from '../server/inProcess.ts';
import { withoutReadOnly } from '../server/records/decisions/writtenRecord.ts';
import { hiddenStandIn } from './standInSecret.ts';

/** A record of a state, with its references. */
export type DumpRow = OrgDump['records'][number];

/** Fields of an answer that are columns of a row. */
const envelope: ReadonlySet<string> = new Set(['id', 'kind', 'version', 'created', 'lastModified', 'links', 'gvc']);

/**
 * A live record as a row of the embedded platform: id, version, times and tags unchanged, not in normal form, and
 * unchecked. A secret without its values gets stand-ins.
 */
export function rowOfLive({ ref, uid, version, record }: LiveResource, org: string): DumpRow {
  const { shown, hidden } = partHidden(ref.kind, record);
  const owned = withoutReadOnly(ref.kind, shown);
  // A user may be referred to by other texts than its name.
  const name = stringAt(record, 'name') ?? ref.name;
  return placed(
    {
      ...{ kind: ref.kind, gvc: ref.gvc ?? '', name, uid, version },
      createdMs: timeOf(record, 'created'),
      modifiedMs: timeOf(record, 'lastModified'),
      record: owned,
      hidden: { ...hiddenStandIn(ref.kind, record), ...hidden },
      state: stateOf(ref, shown, owned),
    },
    org,
  );
}

export function placed(row: NewRow, org: string): DumpRow {
  const { kind, gvc, name, record } = row;
  return { ...row, targets: referencesOf(gvc === '' ? { kind, name } : { kind, name, gvc }, record, org) };
}

/** Further fields that the platform shows, such as the origin of a built-in record, and state that its rules need. */
function stateOf({ kind }: Ref, record: JsonObject, owned: JsonObject): JsonObject {
  const shown = Object.fromEntries(
    Object.entries(record).filter(([name]) => !Object.hasOwn(owned, name) && !envelope.has(name)),
  );
  if (storesData(kind)) return { shown, volumes: volumesOf(record) };
  return hasKeys(kind) ? { shown, keys: listAt(record, 'keys') } : { shown };
}

/** The volumes in `status` (platform/volumeset.status): the platform detects data by the state, not by the record. */
function volumesOf(record: JsonObject): readonly JsonObject[] {
  return listAt(objectAt(record, 'status'), 'locations').flatMap((location) => {
    if (!isObject(location)) return [];
    return listAt(location, 'volumes').flatMap((volume) =>
      isObject(volume) ? [volumeOf(volume, stringAt(location, 'name') ?? '')] : [],
    );
  });
}

function volumeOf(volume: JsonObject, location: string): JsonObject {
  const lifecycle = stringAt(volume, 'lifecycle');
  return {
    location,
    index: numberAt(volume, 'index') ?? 0,
    deviceId: stringAt(volume, 'storageDeviceId') ?? '',
    oldDeviceIds: listAt(volume, 'oldStorageDeviceIds'),
    fromMs: 0,
    sizeGb: numberAt(volume, 'currentSize') ?? 0,
    zone: stringAt(volume, 'zone') ?? '',
    keyId: stringAt(objectAt(volume, 'attributes'), 'keyId') ?? '',
    snapshots: listAt(volume, 'volumeSnapshots').filter(isObject).map(snapshotOf),
    deleted: lifecycle === 'deleted',
    abandoned: lifecycle === 'unused',
  };
}

function snapshotOf(snapshot: JsonObject): JsonObject {
  const expires = own(snapshot, 'expires');
  return {
    name: stringAt(snapshot, 'name') ?? '',
    id: stringAt(snapshot, 'id') ?? '',
    createdMs: timeOf(snapshot, 'created'),
    expiresMs: expires === undefined ? 0 : timeOf(snapshot, 'expires'),
    sizeGb: numberAt(snapshot, 'size') ?? 0,
    usedGb: 0,
    tags: listAt(snapshot, 'tags'),
  };
}

/** Milliseconds since 1970; 0 if it is missing. */
function timeOf(record: JsonObject, field: string): number {
  const value: JsonValue | undefined = own(record, field);
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(ms) ? ms : 0;
}
