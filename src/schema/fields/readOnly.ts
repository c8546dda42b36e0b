import { decimal, fields, free, optional, responseOnly, text } from '../facts/define.ts';
import { onlyMetadata } from '../facts/riskFacts.ts';
import { deploymentStatus, shown } from './answers.ts';
import { envelope, inGvc, origin } from './common.ts';

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

/** What runs of a workload in one location (platform/deployment). */
export const deployment = fields(
  { ...envelope, ...inGvc, status: responseOnly(deploymentStatus), spec: optional(free()) },
  onlyMetadata,
);

/** A person; by invitation only (platform/user). */
export const user = fields({ ...envelope, email: optional(text()), idp: optional(text()) }, onlyMetadata);

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

/** An image of the own registry, `repository:tag`; it comes by a push only (platform/image). */
export const image = fields(
  {
    ...envelope,
    repository: responseOnly(shown.text),
    tag: responseOnly(shown.text),
    digest: responseOnly(shown.text),
    manifest: responseOnly(),
  },
  onlyMetadata,
);
