import type { Construct } from 'constructs';
import { Existing } from '../existing.ts';
import { GrantableResource } from '../grantable.ts';
import type { ResourceProps } from '../resource.ts';
import type { LinkTo } from '../values/references.ts';

/** An audit trail of its own. The platform never deletes one: removing it from a stack forgets it. */
export class AuditContext extends GrantableResource<'auditctx'> {
  constructor(scope: Construct, id: string, props: ResourceProps = {}) {
    super(scope, id, 'auditctx', props, {});
  }

  /** An audit context that exists without this stack. */
  static fromName(scope: Construct, id: string, name: string): Existing<'auditctx'> {
    return new Existing(scope, id, { kind: 'auditctx', name });
  }

  /** An audit context that exists without this stack, by its link. Errors: `stack.link`. */
  static fromLink(scope: Construct, id: string, link: LinkTo<'auditctx'>): Existing<'auditctx'> {
    return new Existing(scope, id, { kind: 'auditctx', link });
  }
}
