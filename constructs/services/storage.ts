import type { BlockVolumeSetProps } from '../../generated/interfaces/props.ts';
import type { Retention } from '../quantities.ts';
import type { PropNames } from './propNames.ts';

/** Volumes that a service brings along: one for each replica. */
export interface Storage {
  /** Where the program sees its volume. */
  readonly path: `/${string}`;
  /** Capacity of each volume in GB: `Size.gigabytes(20)`. 10 to 65,536; from 200 for `high-throughput-ssd`. */
  readonly capacity: number;
  /** It cannot be changed. @default general-purpose-ssd */
  readonly performanceClass?: BlockVolumeSetProps['performanceClass'] | undefined;
  /** It cannot be changed. @default ext4 */
  readonly fileSystemType?: BlockVolumeSetProps['fileSystemType'];
  /** Nobody can delete the volumes until this was applied as false. @default false */
  readonly protect?: boolean | undefined;
  /** A volume of which less than 20 % is free grows to one and a half times what it needs, up to this many GB. */
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

/** In place of one that is missing, which was told. */
export const someStorage: Storage = { path: '/data', capacity: 10 };

/** The volume set of a service. */
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
