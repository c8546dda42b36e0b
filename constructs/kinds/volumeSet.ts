import type { Construct } from 'constructs';
import type { VolumeSetSpec } from '../../src/schema/kinds/volumeset.ts';
import type { Linked } from '../linked.ts';
import { ownFields } from '../own.ts';
import { type GvcScopedProps, Resource } from '../resource.ts';

export interface VolumeSetProps extends GvcScopedProps, Linked<VolumeSetSpec> {}

/** Storage volumes for workloads of one GVC. Mount it with `uri: volumeSet`. */
export class VolumeSet extends Resource<'volumeset'> {
  readonly #props: VolumeSetProps;

  constructor(scope: Construct, id: string, props: VolumeSetProps) {
    super(scope, id, 'volumeset', props);
    this.#props = props;
  }

  protected override content(): { readonly [field: string]: unknown } {
    return { spec: ownFields(this.#props) };
  }
}
