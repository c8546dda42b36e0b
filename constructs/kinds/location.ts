import type { Construct } from 'constructs';
import type { Location as LocationRecord } from '../../src/schema/kinds/location.ts';
import type { Linked } from '../linked.ts';
import { type Own, ownFields } from '../own.ts';
import { Resource, type ResourceProps } from '../resource.ts';

export interface LocationProps extends ResourceProps, Linked<Own<LocationRecord>> {}

/** A place where workloads run. Only self-hosted ones (`provider: 'byok'`) can be created. */
export class Location extends Resource<'location'> {
  readonly #props: LocationProps;

  constructor(scope: Construct, id: string, props: LocationProps = {}) {
    super(scope, id, 'location', props);
    this.#props = props;
  }

  protected override content(): { readonly [field: string]: unknown } {
    return ownFields(this.#props);
  }
}
