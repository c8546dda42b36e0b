import type { ManifestDocument } from '../../manifest/model/document.ts';
import { isArray, isObject, type JsonObject, type JsonValue, own } from '../../schema/json/json.ts';
import { isDeclarable } from '../../schema/record/kinds.ts';
import { suggest } from '../../schema/text/suggest.ts';

/** Fields that a manifest has, and that files of other tools rarely have. */
const telling = ['kind', 'name', 'gvc', 'spec', 'lifecycle'] as const;

/**
 * Whether a file that was found, not named, belongs to somebody else: none of its documents looks like a manifest, not
 * even like one with a mistake. What does must stay an error, because a mistake in `kind` would delete the resource.
 */
export function isStray(documents: readonly ManifestDocument[]): boolean {
  const values = documents.map(({ value }) => value).filter((value) => value !== null);
  return values.length > 0 && values.every(isForeign);
}

function isForeign(value: JsonValue): boolean {
  if (isArray(value)) return value.length > 0 && value.every((item) => !isContainer(item) || isForeign(item));
  if (!isObject(value)) return false; // text is a manifest without its colons, perhaps
  const keys = Object.keys(value);
  if (keys.length === 0 || looksLikeManifest(value, keys)) return false;
  const items = own(value, 'items');
  const inside = isArray(items) ? items : Object.values(value);
  return !inside.some((member) => isObject(member) && isManifest(member));
}

function isContainer(value: JsonValue): boolean {
  return isArray(value) || isObject(value);
}

function looksLikeManifest(value: JsonObject, keys: readonly string[]): boolean {
  return telling.some((name) => Object.hasOwn(value, name)) || keys.some((key) => suggest(key, ['kind']) !== undefined);
}

function isManifest(value: JsonObject): boolean {
  const kind = own(value, 'kind');
  return typeof kind === 'string' && isDeclarable(kind) && Object.hasOwn(value, 'name');
}
