import type { Pointer } from '../../base/json/pointer.ts';
import type { DesiredResource, Position } from '../../manifest/model/manifest.ts';
import { protectedTag } from '../../schema/record/protection.ts';
import { pointerTo } from '../../schema/shape/paths.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';

export const protectedPath = `tags.${JSON.stringify(protectedTag)}`;
const protect: Pointer = ['lifecycle', 'protect'];
const retain: Pointer = ['lifecycle', 'retain'];

/** The position in the manifest that declares this field of a change; undefined if none does. */
export function pointerOfField(path: string, shape: ObjectShape, resource: DesiredResource): Pointer | undefined {
  const { record, lifecycle } = resource;
  if (path === 'lifecycle.retain') return lifecycle.retain === undefined ? undefined : retain;
  if (path === protectedPath && lifecycle.protect !== undefined) return protect;
  return pointerTo(path, shape, record);
}

/** The same in the file. */
export function positionOfField(path: string, shape: ObjectShape, resource: DesiredResource): Position | undefined {
  const pointer = pointerOfField(path, shape, resource);
  return pointer === undefined ? undefined : resource.locate(pointer);
}
