import type { Construct } from 'constructs';
import type { Policy as PolicyRecord } from '../../src/schema/kinds/policy.ts';
import type { Linked } from '../linked.ts';
import { type Own, ownFields } from '../own.ts';
import { Resource, type ResourceProps } from '../resource.ts';

export interface PolicyProps extends ResourceProps, Linked<Own<PolicyRecord>> {}

/** Who may do what with which resources. */
export class Policy extends Resource<'policy'> {
  readonly #props: PolicyProps;

  constructor(scope: Construct, id: string, props: PolicyProps) {
    super(scope, id, 'policy', props);
    this.#props = props;
  }

  protected override content(): { readonly [field: string]: unknown } {
    return ownFields(this.#props);
  }
}
