import type { Construct } from 'constructs';
import type { Identity as IdentityRecord } from '../../src/schema/kinds/identity.ts';
import type { Linked } from '../linked.ts';
import { type Own, ownFields } from '../own.ts';
import { type GvcScopedProps, Resource } from '../resource.ts';

export interface IdentityProps extends GvcScopedProps, Linked<Own<IdentityRecord>> {}

/** What workloads may do elsewhere: cloud accounts, private networks, secrets. */
export class Identity extends Resource<'identity'> {
  readonly #props: IdentityProps;

  constructor(scope: Construct, id: string, props: IdentityProps = {}) {
    super(scope, id, 'identity', props);
    this.#props = props;
  }

  protected override content(): { readonly [field: string]: unknown } {
    return ownFields(this.#props);
  }
}
