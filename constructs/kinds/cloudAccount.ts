import type { Construct } from 'constructs';
import type { CloudAccount as CloudAccountRecord } from '../../src/schema/kinds/cloudaccount.ts';
import type { Linked } from '../linked.ts';
import { type Own, ownFields } from '../own.ts';
import { Resource, type ResourceProps } from '../resource.ts';

export interface CloudAccountProps extends ResourceProps, Linked<Own<CloudAccountRecord>> {}

/** Access to an account at a cloud provider. */
export class CloudAccount extends Resource<'cloudaccount'> {
  readonly #props: CloudAccountProps;

  constructor(scope: Construct, id: string, props: CloudAccountProps) {
    super(scope, id, 'cloudaccount', props);
    this.#props = props;
  }

  protected override content(): { readonly [field: string]: unknown } {
    return ownFields(this.#props);
  }
}
