import type { Construct } from 'constructs';
import { quoted } from '../../src/schema/shape/paths.ts';
import { Existing } from '../existing.ts';
import { GrantableResource } from '../grantable.ts';
import type { LinkTo } from '../references.ts';
import type { ResourceProps } from '../resource.ts';

/** An account for programs. Keys that nothing takes are made outside of manifests. */
export class ServiceAccount extends GrantableResource<'serviceaccount'> {
  constructor(scope: Construct, id: string, props: ResourceProps = {}) {
    super(scope, id, 'serviceaccount', props, {});
  }

  /**
   * The value of a key that is for this, in one word. It is made when it is applied, and shown once: for the data of a secret,
   * or for an `Output` with `saveTo`. Where the account has such a key, what was kept stays.
   */
  key(description: string): string {
    return this.live(`keys.${quoted(description)}.key`);
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
