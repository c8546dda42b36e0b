import { isObject, type JsonObject, type JsonValue, objectAt, own, put, stringAt } from '../../base/json/json.ts';

export const ownTagPrefix = 'gantry/';
export const ownerTag = `${ownTagPrefix}stack`;
/** The tag with the state that is kept between two runs. */
export const appliedTag = `${ownTagPrefix}applied`;

/** The value of `gantry/stack`. */
export function ownerOf(record: JsonObject): string | undefined {
  return stringAt(objectAt(record, 'tags'), ownerTag);
}

/**
 * The prefix of an owner that is a Terraform state instead of a stack: it has no manifests that could hand over
 * resources.
 */
export const stateOwnerPrefix = 'terraform.';

export function isStateOwner(owner: string): boolean {
  return owner.startsWith(stateOwnerPrefix);
}

export function withoutOwnTags(record: JsonObject): JsonObject {
  const tags = own(record, 'tags');
  if (!isObject(tags)) return record;
  const others = Object.entries(tags).filter(([key]) => !key.startsWith(ownTagPrefix));
  return { ...record, tags: Object.fromEntries(others) };
}

/** The prefix of the tag that records the part of a foreign resource that a stack owns. */
export const partTagPrefix = `${appliedTag}.`;

/** Maximum length of a tag key (platform/concepts.tags). */
const longestKey = 128;

/**
 * The tag of a stack's part of a resource: `gantry/applied.shop`. The `@` of an owner becomes `/`, which tag keys may
 * contain (platform/query) and owners never do. Undefined for an owner that is too long for a key.
 */
export function partTagOf(owner: string): string | undefined {
  const key = `${partTagPrefix}${owner.replace('@', '/')}`;
  return key.length <= longestKey ? key : undefined;
}

/** The owner in a part's tag; undefined for any other tag. */
export function ownerOfPartTag(key: string): string | undefined {
  return key.startsWith(partTagPrefix) ? key.slice(partTagPrefix.length).replace('/', '@') : undefined;
}

/** Tags that the platform writes under its own prefix (platform/concepts.tags); other tags there are users'. */
const platformTags: ReadonlySet<string> = new Set(
  ['deployTimestamp', 'aws', 'azure', 'gcp', 'docker', 'tls', 'city', 'country', 'continent', 'state', 'protected'].map(
    (name) => `scheme/${name}`,
  ),
);

/** Whether no patch can write it: it would be read as a directive (platform/patch.merge). */
export function isUnwritable(tag: string): boolean {
  return tag.startsWith('$');
}

/** The tags that users wrote and may write: without those of Gantry and of the platform. */
export function userTags(record: JsonObject): JsonObject {
  const tags = own(record, 'tags');
  const result: Record<string, JsonValue> = {};
  if (!isObject(tags)) return result;
  for (const key of Object.keys(tags).sort()) {
    const value = tags[key];
    if (value === undefined || value === null || isUnwritable(key)) continue;
    if (!key.startsWith(ownTagPrefix) && !platformTags.has(key)) put(result, key, value);
  }
  return result;
}
