import { fieldIn, isArray, isObject, type JsonObject, listAt, own } from '../../base/json/json.ts';
import { compact } from '../../base/json/present.ts';
import { counted } from '../../base/text/counted.ts';
import { mayStore, storesData } from '../../kinds/kindFacts.ts';
import { fileSystemOf } from '../../kinds/volumeset/mounts.ts';
import type { Kind } from '../../schema/record/kinds.ts';

/** Describes the data lost with this live record; undefined if none is. */
export function dataIn(kind: Kind, record: JsonObject): string | undefined {
  if (storesData(kind)) return volumeData(record);
  return mayStore(kind) ? 'what it stores is not known' : undefined;
}

/**
 * Whether only one workload at a time can mount it. A volume set of the file system `shared` has no such limit
 * (platform/volumeset).
 */
export function mountedByOne(kind: Kind, record: JsonObject): boolean {
  return storesData(kind) && fileSystemOf(record) !== 'shared';
}

/**
 * Volumes whose lifecycle is not `deleted` count as data, and so do snapshots and everything unknown
 * (platform/volumeset.status).
 */
function volumeData(record: JsonObject): string | undefined {
  const status = own(record, 'status');
  const locations = fieldIn(status, 'locations');
  if (!isArray(locations)) return 'its volumes are not known';

  let volumes = 0;
  let snapshots = 0;
  for (const location of locations) {
    const listed = fieldIn(location, 'volumes');
    if (!isArray(listed)) return 'its volumes are not known';
    for (const volume of listed) {
      if (!isObject(volume)) return 'its volumes are not known';
      if (own(volume, 'lifecycle') !== 'deleted') volumes += 1;
      snapshots += listAt(volume, 'volumeSnapshots').length;
    }
  }
  const parts = compact([
    volumes === 0 ? undefined : counted(volumes, 'volume'),
    snapshots === 0 ? undefined : counted(snapshots, 'snapshot'),
  ]);
  return parts.length === 0 ? undefined : parts.join(' and ');
}
