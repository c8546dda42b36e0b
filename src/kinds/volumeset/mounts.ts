import { type JsonObject, objectAt, stringAt } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { present } from '../../base/json/present.ts';
import { addTo } from '../../base/multimap.ts';
import { onceForObject } from '../../base/once.ts';
import { itemsAt } from '../../schema/rules/reading.ts';
import type { Known, Related } from '../../schema/rules/rule.ts';

/** A volume set that a container mounts, and the place of the mount. */
export interface Mount {
  readonly volumeSet: string;
  readonly pointer: Pointer;
}

const prefix = 'scheme://volumeset/';

/** The volume sets that a workload mounts; always of its own GVC (platform/volumeset.mounting). */
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

/** `ext4` when omitted (platform/concepts.filled). */
export function fileSystemOf(volumeSet: JsonObject): string {
  return stringAt(objectAt(volumeSet, 'spec'), 'fileSystemType') ?? 'ext4';
}

const noWorkloads: readonly Known[] = [];

/** The workloads that mount a volume set. One pass over a list serves all volume sets. */
export function mountersOf(name: string, gvc: string | undefined, related: Related): readonly Known[] {
  const workloads = related.list('workload', gvc, { kind: 'volumeset', name, ...present({ gvc }) });
  return mountersIn(workloads).get(name) ?? noWorkloads;
}

const mountersIn = onceForObject((workloads: readonly Known[]): ReadonlyMap<string, readonly Known[]> => {
  const index = new Map<string, Known[]>();
  for (const workload of workloads) {
    const names = new Set(volumeSetMounts(workload.record).map((mount) => mount.volumeSet));
    for (const name of names) addTo(index, name, workload);
  }
  return index;
});
