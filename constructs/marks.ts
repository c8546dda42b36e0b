import {
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  own,
  put,
} from '../src/schema/json/json.ts';
import type { Pointer } from '../src/schema/json/pointer.ts';
import { isCreatableKind } from '../src/schema/record/kinds.ts';
import { formatPath } from '../src/schema/shape/paths.ts';
import type { Shape } from '../src/schema/shape/shape.ts';
import { shapeOf } from '../src/schema/shape/shapeOf.ts';

/** Which members of which objects and lists of a manifest were marked as sensitive. */
export type Marked = Map<JsonObject | JsonArray, (string | number)[]>;

const free: Shape = { type: 'free', facts: {} };

/** The manifest with the paths of these in `lifecycle.sensitive`. */
export function withMarks(manifest: JsonObject, marked: Marked): JsonObject {
  if (marked.size === 0) return manifest;
  const kind = own(manifest, 'kind');
  const shape = typeof kind === 'string' && isCreatableKind(kind) ? shapeOf(kind, manifest) : free;
  const pointers: Pointer[] = [];
  collect(manifest, [], marked, pointers);
  const lifecycle: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(objectAt(manifest, 'lifecycle'))) put(lifecycle, name, value);
  const paths = pointers.map((pointer) => formatPath(shape, manifest, pointer));
  lifecycle['sensitive'] = [...new Set([...listAt(lifecycle, 'sensitive'), ...paths])];
  return { ...manifest, lifecycle };
}

function collect(value: JsonValue, at: Pointer, marked: Marked, found: Pointer[]): void {
  if (!isArray(value) && !isObject(value)) return;
  for (const step of marked.get(value) ?? []) found.push([...at, step]);
  if (isArray(value)) for (const [index, item] of value.entries()) collect(item, [...at, index], marked, found);
  else for (const [name, member] of Object.entries(value)) collect(member, [...at, name], marked, found);
}
