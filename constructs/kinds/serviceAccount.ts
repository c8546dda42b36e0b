import type { Construct } from 'constructs';
import { Existing } from '../existing.ts';
import { GrantableResource } from '../grantable.ts';
import type { ResourceProps } from '../resource.ts';
import type { LinkTo } from '../values/references.ts';

/** An account for programs. Its keys are made outside of manifests. */
export class ServiceAccount extends GrantableResource<'serviceaccount'> {
  constructor(scope: Construct, id: string, props: ResourceProps = {}) {
    super(scope, id, 'serviceaccount', props, {});
  }

  /** A service account that exists without this stack. */
  static fromName(scope: Construct, id: string, name: string): Existing<'serviceaccount'> {
    return new Existing(scope, id, { kind: 'serviceaccount', name });
  }

  /** A service account that exists without this stack, by its link. Errors: `stack.link`. */
  static fromLink(scope: Construct, id: string, link: LinkTo<'serviceaccount'>): Existing<'serviceaccount'> {
    return new Existing(scope, id, { kind: 'serviceaccount', link });
  }
}
