import type { LiveResource } from '../manifest/live/snapshot.ts';
import { partHidden } from '../schema/facts/kindFacts.ts';
import {
  isObject,
  type JsonObject,
  type JsonValue,
  listAt,
  numberAt,
  objectAt,
  own,
  stringAt,
} from '../schema/json/json.ts';
import type { Ref } from '../schema/record/ref.ts';
import { referencesOf } from '../server/core/referencesOf.ts';
import type { NewRow, OrgDump } from '../server/inProcess.ts';
import { withoutReadOnly } from '../server/rules/records/readOnlyFields.ts';
import { hiddenStandIn } from './standInSecret.ts';

/** A record as a state holds it, with what it refers to. */
export type DumpRow = OrgDump['records'][number];

/** The parts of an answer that a row has of its own. */
const envelope: ReadonlySet<string> = new Set(['id', 'kind', 'version', 'created', 'lastModified', 'links', 'gvc']);

/**
 * A live record as the platform of this process keeps it: id, version, times and tags as they are, not in normal form,
 * and unchecked. A secret without its values gets a stand-in for them.
 */
export function rowOfLive({ ref, uid, version, record }: LiveResource, org: string): DumpRow {
  const { shown, hidden } = partHidden(ref.kind, record);
  const owned = withoutReadOnly(ref.kind, shown);
  // A user may be referred to by other words than its name.
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

/** What the platform shows besides, such as the origin of a built-in record, and what its rules ask of the past. */
function stateOf({ kind }: Ref, record: JsonObject, owned: JsonObject): JsonObject {
  const shown = Object.fromEntries(
    Object.entries(record).filter(([name]) => !Object.hasOwn(owned, name) && !envelope.has(name)),
  );
  if (kind === 'volumeset') return { shown, volumes: volumesOf(record) };
  return kind === 'serviceaccount' ? { shown, keys: listAt(record, 'keys') } : { shown };
}

/**
 * The volumes that `status` tells of (platform/volumeset.status): whether there is data is asked of the state, not of
 * the record.
 */
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

/** Milliseconds since 1970; 0 where it says nothing. */
function timeOf(record: JsonObject, field: string): number {
  const value: JsonValue | undefined = own(record, field);
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(ms) ? ms : 0;
}
