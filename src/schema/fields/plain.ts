import { derived, fields, free, keyed, optional, responseOnly, statedKey, text } from '../facts/define.ts';
import { onlyMetadata } from '../facts/riskFacts.ts';
import { agentStatus } from './answers.ts';
import { envelope, origin } from './common.ts';

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

/** A way into a private network (platform/agent). */
export const agent = fields({ ...envelope, status: responseOnly(agentStatus) }, onlyMetadata);
