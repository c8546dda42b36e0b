import { appliedTag } from './ownTags.ts';

/** The prefix of the tag that records the part of a foreign resource that a stack owns. */
export const partTagPrefix = `${appliedTag}.`;

/** The longest key of a tag (platform/concepts.tags). */
const longestKey = 128;

/**
 * The tag of a stack's part of a resource: `gantry/applied.shop`. The `@` of an owner becomes `/`, which tag keys may
 * contain (platform/query) and owners never do. Undefined for an owner that is too long for a key.
 */
export function partTagOf(owner: string): string | undefined {
  const key = `${partTagPrefix}${owner.replace('@', '/')}`;
  return key.length <= longestKey ? key : undefined;
}

/** The owner that a tag of a part names; undefined for any other tag. */
export function ownerOfPartTag(key: string): string | undefined {
  return key.startsWith(partTagPrefix) ? key.slice(partTagPrefix.length).replace('/', '@') : undefined;
}
