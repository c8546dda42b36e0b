import { fields, link, oneOf, optional, sequence, set, stored, text } from '../facts/define.ts';
import { targetKinds } from '../facts/kindFacts.ts';
import { exposes, grants, grantsLater, onlyMetadata } from '../facts/riskFacts.ts';
import { creatableKinds, principalKinds } from '../record/kinds.ts';
import { envelope, origin, query } from './common.ts';

const binding = fields({
  permissions: set(text({}, { minLength: 1 }), {}, { minItems: 1 }),
  principalLinks: set(link(principalKinds, 'soft'), {}, { minItems: 1, maxItems: 200 }),
});

/** Permissions of principals on records; its fields are top level (platform/policy). */
export const policy = fields(
  {
    ...envelope,
    ...origin,
    targetKind: oneOf(targetKinds, { ...exposes, immutable: true }),
    target: optional(oneOf(['all'], grantsLater)),
    targetLinks: optional(set(link([...creatableKinds, 'task', 'user'], 'soft'), grantsLater, { maxItems: 200 })),
    targetQuery: optional(query(exposes)),
    bindings: optional(sequence(binding, { ...stored([]), ...grants, byContent: true }, { maxItems: 50 })),
  },
  onlyMetadata,
);
