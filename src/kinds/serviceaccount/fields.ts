import { fields, free, keyed, optional, statedKey, text } from '../../schema/facts/define.ts';
import { onlyMetadata } from '../../schema/facts/riskFacts.ts';
import { envelope, origin } from '../common/fields.ts';

const key = fields({
  name: text(),
  created: optional(free()),
  description: optional(text()),
  key: optional(free({ sensitive: true, answer: { is: 'text', isShownOnce: true } })),
});

/** An account for programs. Its keys are made outside of manifests and are never managed (platform/serviceaccount). */
export const serviceaccount = fields(
  {
    ...envelope,
    ...origin,
    keys: optional(keyed(key, statedKey('name'), { responseOnly: true })),
  },
  onlyMetadata,
);
