import { derived, fields, optional, text } from '../../schema/facts/define.ts';
import { onlyMetadata } from '../../schema/facts/riskFacts.ts';
import { envelope, origin } from '../common/fields.ts';

/** An audit trail of its own; it cannot be deleted (platform/auditctx). */
export const auditctx = fields(
  {
    ...envelope,
    ...origin,
    name: text({ immutable: true, spelling: 'context' }, { minLength: 1 }),
    description: optional(text({ ...derived('name'), canonical: 'trimmed', spelling: 'context' }, { maxLength: 250 })),
  },
  onlyMetadata,
);
