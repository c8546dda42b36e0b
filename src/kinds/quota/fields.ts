import { decimal, fields, optional, responseOnly } from '../../schema/facts/define.ts';
import { onlyMetadata } from '../../schema/facts/riskFacts.ts';
import { shown } from '../common/answers.ts';
import { envelope, origin } from '../common/fields.ts';

/**
 * How much of something an org may have; only its `max` is set by clients, and none means no limit (platform/quota).
 */
export const quota = fields(
  {
    ...envelope,
    ...origin,
    unit: responseOnly(shown.text),
    dimensions: responseOnly(),
    current: responseOnly(shown.number),
    max: optional(decimal({}, { minimum: 0 })),
  },
  onlyMetadata,
);
