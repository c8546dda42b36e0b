import { fields, optional, text } from '../../schema/facts/define.ts';
import { onlyMetadata } from '../../schema/facts/riskFacts.ts';
import { envelope } from '../common/fields.ts';

/** A person; by invitation only (platform/user). */
export const user = fields({ ...envelope, email: optional(text()), idp: optional(text()) }, onlyMetadata);
