import type { Construct } from 'constructs';
import { Resource, type ResourceProps } from '../resource.ts';

/** An audit trail of its own. The platform never deletes one: removing it from a stack forgets it. */
export class AuditContext extends Resource<'auditctx'> {
  constructor(scope: Construct, id: string, props: ResourceProps = {}) {
    super(scope, id, 'auditctx', props, {});
  }
}
