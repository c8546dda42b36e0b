import type { Construct } from 'constructs';
import type { VolumeSetProps } from '../../generated/interfaces/props.ts';
import { Resource } from '../resource.ts';
import { ownFields } from './ownFields.ts';

/** Storage volumes for workloads of one GVC. Mount it with `uri: volumeSet`. */
export class VolumeSet extends Resource<'volumeset'> {
  constructor(scope: Construct, id: string, props: VolumeSetProps) {
    super(scope, id, 'volumeset', props, { spec: ownFields(props) });
  }
}
