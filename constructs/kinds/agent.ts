import type { Construct } from 'constructs';
import { Existing } from '../existing.ts';
import { GrantableResource } from '../grantable.ts';
import type { ResourceProps } from '../resource.ts';
import type { LinkTo } from '../values/references.ts';

/** A way into a private network. */
export class Agent extends GrantableResource<'agent'> {
  constructor(scope: Construct, id: string, props: ResourceProps = {}) {
    super(scope, id, 'agent', props, {});
  }

  /** An agent that exists without this stack. */
  static fromName(scope: Construct, id: string, name: string): Existing<'agent'> {
    return new Existing(scope, id, { kind: 'agent', name });
  }

  /** An agent that exists without this stack, by its link. Errors: `stack.link`. */
  static fromLink(scope: Construct, id: string, link: LinkTo<'agent'>): Existing<'agent'> {
    return new Existing(scope, id, { kind: 'agent', link });
  }
}
