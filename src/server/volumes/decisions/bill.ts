import { type JsonObject, objectAt, stringAt } from '../../../base/json/json.ts';
import type { Mounter } from './reconcileVolumes.ts';
import type { Volume } from './volume.ts';

/**
 * The cost of a volume set (platform/volumeset.shared, platform/volumeset.classes): the GB that its volumes reserve,
 * and the CPU and memory that its mount points reserve. Only a shared set has mount points, one for each replica that
 * mounts it; each reserves `minCpu` and `minMemory` of `mountOptions`.
 *
 * Units: GB; `mountCpu` and `mountMemory` are quantities in the unit of `mountOptions` (`1500m`, `3Gi`).
 */
export function volumeSetBill(volumeSet: JsonObject, volumes: readonly Volume[], mountPoints: number): JsonObject {
  const reservedGb = volumes.filter(({ deleted }) => !deleted).reduce((sum, { sizeGb }) => sum + sizeGb, 0);
  const resources = objectAt(objectAt(objectAt(volumeSet, 'spec'), 'mountOptions'), 'resources');
  return {
    reservedGb,
    mountPoints,
    mountCpu: timesQuantity(mountPoints, stringAt(resources, 'minCpu') ?? '500m'),
    mountMemory: timesQuantity(mountPoints, stringAt(resources, 'minMemory') ?? '1Gi'),
  };
}

/** The mount points of one workload that mounts a shared set. */
export function mountPointsOf({ locations }: Mounter): number {
  return locations.reduce((sum, { replicas }) => sum + replicas, 0);
}

/** A multiple of a quantity, in its own unit: 3 times `500m` is `1500m` (platform/concepts.quantities). */
export function timesQuantity(times: number, quantity: string): string {
  const [, amount = '0', unit = ''] = /^([+-]?[0-9.]+)(.*)$/.exec(quantity) ?? [];
  // Removes rounding errors of decimals such as 0.30000000000000004.
  const product = Math.round(Number(amount) * times * 1e9) / 1e9;
  return `${product}${unit}`;
}
