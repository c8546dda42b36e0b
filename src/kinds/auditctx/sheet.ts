import { derived, fields, optional, text } from '../../schema/facts/define.ts';
import { onlyMetadata } from '../../schema/facts/riskFacts.ts';
import { governing } from '../common/facts.ts';
import { envelope, origin } from '../common/fields.ts';
import type { Sheet } from '../common/sheet.ts';

const definition = fields(
  {
    ...envelope,
    ...origin,
    name: text({ immutable: true, spelling: 'context' }, { minLength: 1 }),
    description: optional(text({ ...derived('name'), canonical: 'trimmed', spelling: 'context' }, { maxLength: 250 })),
  },
  onlyMetadata,
);

/** A separate audit trail; it cannot be deleted (platform/auditctx). */
export const auditctx = {
  singular: 'audit context',
  plural: 'audit contexts',
  about: 'An audit trail with a name, into which clients write their own events. It cannot be deleted.',
  className: 'AuditContext',
  typeName: 'AuditContextFields',
  exampleName: 'payments',
  permissions: ['create', 'edit', 'manage', 'readAudit', 'view', 'writeAudit'],
  risks: governing,
  undeletable: true,
  initialFields: () => ({ origin: 'default' }),
  definition,
  client: async () => (await import('./client.ts')).auditctxClient,
} satisfies Sheet;
