import { fields, free, optional, text } from '../../schema/facts/define.ts';
import { onlyMetadata } from '../../schema/facts/riskFacts.ts';
import { envelope } from '../common/fields.ts';

/** Something that a person is asked to do; addressed by its id (platform/task). */
export const task = fields(
  {
    ...envelope,
    name: optional(text()),
    targetEmail: optional(text()),
    creatorLink: optional(text()),
    type: optional(text()),
    context: optional(free()),
    response: optional(free()),
  },
  onlyMetadata,
);
