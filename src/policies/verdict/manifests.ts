import { isArray, isObject, type JsonObject, type JsonValue, mapMembers } from '../../base/json/json.ts';
import { isMasked } from '../../base/json/masked.ts';
import { compareText } from '../../base/text/compareText.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { maskedManifest } from '../../plan/record/toManifest.ts';
import { type AnyManifest, masked } from '../model/manifestOf.ts';

/** The manifests that policies see: complete, with their ids, sensitive values masked by a text. */
export function manifestsOf(desired: readonly DesiredResource[]): readonly (JsonObject & AnyManifest)[] {
  return desired
    .toSorted((a, b) => compareText(a.id, b.id))
    .map((resource) => ({ id: resource.id, ...withTexts(maskedManifest(resource)) }))
    .filter(isManifest);
}

/** As `toManifest` makes it. */
function isManifest(manifest: JsonObject): manifest is JsonObject & AnyManifest {
  return ['id', 'kind', 'name'].every((key) => typeof manifest[key] === 'string');
}

/** A mask is a text here, as most of what it stands for: a policy that looks at a text finds one. */
function withTexts(manifest: JsonObject): JsonObject {
  return mapMembers(manifest, maskAsText);
}

function maskAsText(value: JsonValue): JsonValue {
  if (isArray(value)) return value.map(maskAsText);
  if (!isObject(value)) return value;
  return isMasked(value) ? masked : withTexts(value);
}
