import { fields, free, optional, text } from '../define.ts';
import { envelope, inGvc } from './common.ts';

/** Something that a person is asked to do; addressed by its id (resources B10). */
export const task = fields({
  ...envelope,
  name: optional(text()),
  targetEmail: optional(text()),
  creatorLink: optional(text()),
  type: optional(text()),
  context: optional(free()),
  response: optional(free()),
});

/** What runs of a workload in one location (resources B14). */
export const deployment = fields({ ...envelope, ...inGvc, spec: optional(free()) });

/** A person; by invitation only (resources B14). */
export const user = fields({ ...envelope, email: optional(text()), idp: optional(text()) });
