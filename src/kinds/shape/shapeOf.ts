import { type JsonObject, own } from '../../base/json/json.ts';
import { customKindFacts } from '../../schema/record/customKinds.ts';
import { isKnownKind, type Kind, type KnownKind } from '../../schema/record/kinds.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import { objectShapeOf, shapeOfNode } from '../../schema/shape/shapeOfNode.ts';
import { definitionOf, variantsOf } from '../definitions.ts';

import { customShape } from './customShape.ts';

const shapes = new Map<KnownKind, ObjectShape>();
const variantShapes = new Map<string, ObjectShape>();

/**
 * The shape of a whole record: name, description, tags, the fields of the kind, and platform-owned fields. `record`
 * selects among variants (the `data` of a secret, by its `type`); without it, or with an unknown type, a variant field
 * is free-form.
 */
export function shapeOf(kind: Kind, record?: JsonObject): ObjectShape {
  if (!isKnownKind(kind)) return customShape(customKindFacts(kind));
  let shape = shapes.get(kind);
  if (shape === undefined) {
    shape = objectShapeOf(definitionOf(kind));
    shapes.set(kind, shape);
  }
  const variant = variantsOf(kind);
  if (variant === undefined || record === undefined) return shape;

  const which = own(record, variant.by);
  if (typeof which !== 'string' || !Object.hasOwn(variant.definitions, which)) return shape;
  const id = `${kind}/${which}`;
  const known = variantShapes.get(id);
  if (known !== undefined) return known;

  const definition = variant.definitions[which];
  if (definition === undefined) return shape;
  const fields = new Map(shape.fields).set(variant.field, shapeOfNode(definition));
  const made: ObjectShape = { ...shape, fields };
  variantShapes.set(id, made);
  return made;
}
