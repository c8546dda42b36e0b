import type { JsonObject } from '../../base/json/json.ts';
import { canonicalText } from '../../base/json/jsonText.ts';
import { normalise } from '../../kinds/normalise.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { maskSensitive } from '../../patch/fieldChanges.ts';
import { contextOf } from '../../schema/record/ref.ts';
import { type Hash, itemHash } from './ownership.ts';
import { answered, sensitivityOf } from './shapeFacts.ts';

/**
 * A hash of a record's content, independent of its version: without tags, secrets, and values that only the platform
 * writes. It stays equal until the rest changes.
 */
export function contentHash(resource: DesiredResource, record: JsonObject, org: string, hash: Hash): string {
  const { kind } = resource.ref;
  const stored = normalise(kind, record, contextOf(resource.ref, org));
  const shown = maskSensitive(sensitivityOf(resource), answered(shapeOf(kind, record), stored));
  return itemHash(canonicalText({ ...shown, tags: {} }), hash);
}
