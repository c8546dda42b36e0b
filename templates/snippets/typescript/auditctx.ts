import { AuditContext, type Stack } from 'gantry';

/** An audit trail of its own. The platform never deletes one. */
export function addSample(stack: Stack): AuditContext {
  return new AuditContext(stack, 'sample', { description: 'What the payment service does' });
}
