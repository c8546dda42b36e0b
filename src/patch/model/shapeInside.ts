import { type FreeShape, fieldShape, isMerged, type Shape } from '../../schema/shape/shape.ts';

/** The shape of what the schema does not know: it passes through as it is. */
const freeShape: FreeShape = { type: 'free', facts: {} };

/** The shape of an object's member; free-form where nothing is declared. */
export function memberShape(shape: Shape, name: string): Shape {
  if (shape.type === 'object') return fieldShape(shape, name) ?? freeShape;
  if (isMerged(shape)) return shape;
  return shape.type === 'map' ? shape.value : freeShape;
}

/** The shape of a list's items. */
export function itemShape(shape: Shape): Shape {
  return shape.type === 'list' ? shape.item : freeShape;
}
