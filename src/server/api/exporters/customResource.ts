import { isObject, type JsonObject, mapMembers, own } from '../../../base/json/json.ts';
import { present } from '../../../base/json/present.ts';
import { shapeOf } from '../../../kinds/shape/shapeOf.ts';
import type { ObjectShape } from '../../../schema/shape/shape.ts';
import { redacted } from '../../audit/decisions/redacted.ts';
import type { Exported } from './exported.ts';

/** The API version of the custom resources; `scheme` is the neutral name in the specification. */
const customResourceVersion = 'scheme/v1';

/** Members of a record that are siblings of `spec` in a custom resource, or part of its metadata. */
const envelope: ReadonlySet<string> = new Set(['name', 'description', 'tags', 'gvc', 'spec']);

/**
 * A record as a custom resource of a cluster (output `crd`, platform/clients.output). Kinds with top-level fields have
 * these in `spec`. Platform-owned and sensitive fields are omitted.
 */
export function customResource({ kind, name, gvc, org, record }: Exported): JsonObject {
  const shape = shapeOf(kind, record);
  const owned = redacted(kind, record);
  const description = own(owned, 'description');
  const tags = own(owned, 'tags');
  const spec = own(owned, 'spec');
  return {
    apiVersion: customResourceVersion,
    kind,
    metadata: { name: metadataName(name) },
    org,
    ...present({ gvc, description, tags }),
    spec: { ...topLevel(owned, shape), ...(isObject(spec) ? spec : {}) },
  };
}

function topLevel(record: JsonObject, shape: ObjectShape): JsonObject {
  return mapMembers(record, (value, name) =>
    envelope.has(name) || shape.fields.get(name)?.facts.responseOnly === true ? undefined : value,
  );
}

/** Names in a cluster contain only letters, digits, `-` and `.`; those of users are e-mail addresses. */
function metadataName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9.-]/g, '-');
}
