import type { Construct } from 'constructs';
import { quoted } from '../../src/schema/shape/paths.ts';
import { Existing } from '../existing.ts';
import { GrantableResource } from '../grantable.ts';
import type { LinkTo } from '../references.ts';
import type { ResourceProps } from '../resource.ts';

/** An account for programs. Keys that no resource or output uses are created outside of manifests. */
export class ServiceAccount extends GrantableResource<'serviceaccount'> {
  constructor(scope: Construct, id: string, props: ResourceProps = {}) {
    super(scope, id, 'serviceaccount', props, {});
  }

  /**
   * The value of a key, whose description is one word for its purpose. The apply creates it, and it is shown once: for
   * the data of a secret, or for an `Output` with `saveTo`. If the account has such a key, the stored value stays.
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
