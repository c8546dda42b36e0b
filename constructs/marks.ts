import { type JsonObject, type JsonValue, listAt, objectAt, own, put } from '../src/base/json/json.ts';
import type { Pointer } from '../src/base/json/pointer.ts';
import { shapeOf } from '../src/kinds/shapeOf.ts';
import { isDeclarable } from '../src/schema/record/kinds.ts';
import { formatPath } from '../src/schema/shape/paths.ts';
import type { Shape } from '../src/schema/shape/shape.ts';

const free: Shape = { type: 'free', facts: {} };

/** The shape of a manifest; of an unknown kind, that of any value. */
export function shapeOfManifest(manifest: JsonObject): Shape {
  const kind = own(manifest, 'kind');
  return typeof kind === 'string' && isDeclarable(kind) ? shapeOf(kind, manifest) : free;
}

/** The manifest with the paths of these places added to a list of its `lifecycle`. */
export function withPaths(
  manifest: JsonObject,
  list: 'sensitive' | 'untyped',
  pointers: readonly Pointer[],
): JsonObject {
  if (pointers.length === 0) return manifest;
  const shape = shapeOfManifest(manifest);
  const lifecycle: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(objectAt(manifest, 'lifecycle'))) put(lifecycle, name, value);
  const paths = pointers.map((pointer) => formatPath(shape, manifest, pointer));
  lifecycle[list] = [...new Set([...listAt(lifecycle, list), ...paths])];
  return { ...manifest, lifecycle };
}
