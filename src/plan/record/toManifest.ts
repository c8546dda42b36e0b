import type { JsonObject, JsonValue } from '../../base/json/json.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { maskSensitive } from '../../patch/fieldChanges.ts';
import { sensitivityOf } from './shapeFacts.ts';

export function toManifest({ ref, record, lifecycle }: DesiredResource): JsonObject {
  const { name, description, tags, ...rest } = record;
  const fields: Record<string, JsonValue | undefined> = {
    kind: ref.kind,
    name: name ?? ref.name,
    gvc: ref.gvc,
    description,
    tags,
    lifecycle: Object.keys(lifecycle).length === 0 ? undefined : { ...lifecycle },
    ...rest,
  };
  const manifest: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) manifest[key] = value;
  return manifest;
}

/** The manifest with `{"sensitive": true}` instead of each sensitive value. */
export function maskedManifest(resource: DesiredResource): JsonObject {
  return toManifest({ ...resource, record: maskSensitive(sensitivityOf(resource), resource.record) });
}
