import { type JsonObject, objectAt, stringAt } from '../../json.ts';
import { itemsAt } from '../reading.ts';
import type { Pointer } from '../rule.ts';

/** A volume set that a container mounts, and where it says so. */
export interface Mount {
  readonly volumeSet: string;
  readonly pointer: Pointer;
}

const prefix = 'scheme://volumeset/';

/** The volume sets that a workload mounts: of its own GVC, always (specification 2.6, rule 4). */
export function volumeSetMounts(workload: JsonObject): readonly Mount[] {
  const mounts: Mount[] = [];
  for (const { index, value: container } of itemsAt(objectAt(workload, 'spec'), 'containers')) {
    for (const volume of itemsAt(container, 'volumes')) {
      const uri = stringAt(volume.value, 'uri');
      if (uri === undefined || !uri.startsWith(prefix)) continue;
      const pointer = ['spec', 'containers', index, 'volumes', volume.index, 'uri'];
      mounts.push({ volumeSet: uri.slice(prefix.length), pointer });
    }
  }
  return mounts;
}

/** `ext4` when omitted (resources A.7). */
export function fileSystemOf(volumeSet: JsonObject): string {
  return stringAt(objectAt(volumeSet, 'spec'), 'fileSystemType') ?? 'ext4';
}
