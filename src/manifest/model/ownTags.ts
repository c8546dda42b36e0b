import { isObject, type JsonObject, objectAt, own, stringAt } from '../../base/json/json.ts';

/** The prefix of our own tags. */
export const ownTagPrefix = 'gantry/';
/** The tag that names the owner. */
export const ownerTag = `${ownTagPrefix}stack`;
/** The tag with the state that is needed between two runs. */
export const appliedTag = `${ownTagPrefix}applied`;

/** The value of `gantry/stack`. */
export function ownerOf(record: JsonObject): string | undefined {
  return stringAt(objectAt(record, 'tags'), ownerTag);
}

/**
 * The beginning of an owner that is a state of Terraform, and no stack: it has no manifests that could hand something
 * over.
 */
export const stateOwnerPrefix = 'terraform.';

export function isStateOwner(owner: string): boolean {
  return owner.startsWith(stateOwnerPrefix);
}

/** A record without our own tags. */
export function withoutOwnTags(record: JsonObject): JsonObject {
  const tags = own(record, 'tags');
  if (!isObject(tags)) return record;
  const others = Object.entries(tags).filter(([key]) => !key.startsWith(ownTagPrefix));
  return { ...record, tags: Object.fromEntries(others) };
}
