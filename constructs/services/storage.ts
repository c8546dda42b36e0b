import type { BlockVolumeSetProps } from '../../generated/interfaces/props.ts';
import type { Retention } from '../quantities.ts';
import type { PropNames } from './propNames.ts';

/** The volumes of a service: one for each replica. */
export interface Storage {
  /** Mount path of the volume in the program. */
  readonly path: `/${string}`;
  /** Capacity of each volume in GB: `Size.gigabytes(20)`. 10 to 65,536; from 200 for `high-throughput-ssd`. */
  readonly capacity: number;
  /** It cannot be changed. @default general-purpose-ssd */
  readonly performanceClass?: BlockVolumeSetProps['performanceClass'] | undefined;
  /** It cannot be changed. @default ext4 */
  readonly fileSystemType?: BlockVolumeSetProps['fileSystemType'];
  /** Whether the volumes are protected from deletion, until this is applied as false. @default false */
  readonly protect?: boolean | undefined;
  /** Limit of growth in GB: a volume with less than 20 % free space grows to one and a half times what it needs. */
  readonly growTo?: number | undefined;
  /** When snapshots are made (`Schedule.daily({ hour: 3 })`), and for how long they are retained. */
  readonly snapshots?: { readonly schedule: string; readonly retention: Retention } | undefined;
}

export const storageNames: PropNames<Storage> = {
  capacity: 'required',
  fileSystemType: true,
  growTo: true,
  path: 'required',
  performanceClass: true,
  protect: true,
  snapshots: true,
};

/** Replaces a missing one, which was reported. */
export const someStorage: Storage = { path: '/data', capacity: 10 };

export function volumeSetName(service: string): string {
  return `${service}-data`;
}

export function volumeSetProps({ capacity, fileSystemType, growTo, performanceClass, protect, snapshots }: Storage) {
  const grows = { minFreePercentage: 20, scalingFactor: 1.5, maxCapacity: growTo };
  return {
    lifecycle: protect === undefined ? undefined : { protect },
    fileSystemType,
    performanceClass: performanceClass ?? 'general-purpose-ssd',
    initialCapacity: capacity,
    autoscaling: growTo === undefined ? undefined : grows,
    snapshots:
      snapshots === undefined ? undefined : { schedule: snapshots.schedule, retentionDuration: snapshots.retention },
  } satisfies BlockVolumeSetProps;
}
