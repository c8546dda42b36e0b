import type { Pointer } from '../../base/json/pointer.ts';
import { shapeOf } from '../../kinds/shape/shapeOf.ts';
import type { DesiredResource, Locate, Position } from '../../manifest/model/manifest.ts';
import type { Change } from '../../plan/model/change.ts';
import { pointerOfField } from '../../plan/record/shapeFacts.ts';
import { formatRef } from '../../schema/record/ref.ts';
import type { SavedDeclaration } from './savedForm.ts';
import { maskedRecord } from './secrets.ts';

/** The declaration, with the places of the fields that change. */
export function writeDeclaration(resource: DesiredResource, change: Change | undefined): SavedDeclaration {
  const { ref, record, lifecycle, locate } = resource;
  const shape = shapeOf(ref.kind, record);
  const at = locate([]);
  const pointers = (change?.fields ?? []).flatMap(({ path }) => {
    const pointer = pointerOfField(path, shape, resource);
    return pointer === undefined ? [] : [pointer];
  });
  const places = pointers.map((pointer) => {
    const { file, line, column } = locate(pointer);
    return { pointer, line, column, ...(file === at.file ? {} : { file }) };
  });
  const { file, line, column } = at;
  return { ref, record: maskedRecord(resource), lifecycle, at: { file, line, column }, places };
}

export function readDeclaration({ ref, record, lifecycle, at, places }: SavedDeclaration): DesiredResource {
  return { ref, id: formatRef(ref), record, lifecycle, locate: locator(at, places) };
}

/** The closest enclosing position that was saved. */
function locator(root: Position, places: SavedDeclaration['places']): Locate {
  const known = new Map(
    places.map(({ pointer, file, line, column }) => [key(pointer), { file: file ?? root.file, line, column }]),
  );
  return (pointer) => {
    for (let length = pointer.length; length > 0; length -= 1) {
      const found = known.get(key(pointer.slice(0, length)));
      if (found !== undefined) return found;
    }
    return root;
  };
}

function key(pointer: Pointer): string {
  return JSON.stringify(pointer);
}
