import type { Construct } from 'constructs';
import type { ContainerVolume, VolumeSetProps } from '../../generated/interfaces/props.ts';
import { Existing } from '../existing.ts';
import { GrantableResource } from '../grantable.ts';
import { ownFields } from '../ownFields.ts';
import type { LinkTo } from '../references.ts';
import type { GvcOption } from '../target.ts';

/** The options of a mounted volume besides its path. */
export interface VolumeMountOptions {
  /** Whether the volume outlives its replica. @default retain */
  readonly recoveryPolicy?: ContainerVolume['recoveryPolicy'];
}

/** Storage volumes for workloads of one GVC: `volumes: [files.mount('/data')]`. */
export class VolumeSet extends GrantableResource<'volumeset'> {
  constructor(scope: Construct, id: string, props: VolumeSetProps) {
    super(scope, id, 'volumeset', props, { spec: ownFields(props) });
  }

  /** A volume set that exists without this stack. `gvc`: needed if the scope is not in it. Errors: `stack.scope`. */
  static fromName(scope: Construct, id: string, name: string, { gvc }: GvcOption = {}): ExistingVolumeSet {
    return new ExistingVolumeSet(scope, id, { kind: 'volumeset', name, gvc });
  }

  /** A volume set that exists without this stack, by its link. Errors: `stack.link`. */
  static fromLink(scope: Construct, id: string, link: LinkTo<'volumeset'>): ExistingVolumeSet {
    return new ExistingVolumeSet(scope, id, { kind: 'volumeset', link });
  }

  /** For `volumes` of a container: its volume, at an absolute path. The workload is in the same GVC. */
  mount(path: `/${string}`, options: VolumeMountOptions = {}): ContainerVolume {
    return { ...options, uri: this, path };
  }
}

/** A volume set that exists without this stack. */
export class ExistingVolumeSet extends Existing<'volumeset'> {
  /** For `volumes` of a container: its volume, at an absolute path. The workload is in the same GVC. */
  mount(path: `/${string}`, options: VolumeMountOptions = {}): ContainerVolume {
    return { ...options, uri: this, path };
  }
}
