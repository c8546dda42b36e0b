import { onceForObject } from '../../base/once.ts';
import type { Shape } from './shape.ts';

/** The shapes of its fields, values, or items. */
export function shapesInside(shape: Shape): readonly Shape[] {
  switch (shape.type) {
    case 'object':
      return shape.rest === undefined ? [...shape.fields.values()] : [...shape.fields.values(), shape.rest];
    case 'map':
      return [shape.value];
    case 'list':
      return [shape.item];
    case 'scalar':
    case 'free':
      return [];
  }
}

/**
 * Whether `test` is true for a shape or one inside it, at any depth, so that most of a record need not be visited.
 * Shapes for which `skip` is true are not searched.
 */
export function anywhere(
  test: (shape: Shape) => boolean,
  skip: (shape: Shape) => boolean = () => false,
): (shape: Shape) => boolean {
  const found = onceForObject(
    (shape: Shape): boolean => !skip(shape) && (test(shape) || shapesInside(shape).some(found)),
  );
  return found;
}

export const isResponseOnly = ({ facts }: Shape): boolean => facts.responseOnly === true;

/** Whether the value here, or anything inside it, is sensitive by the schema. */
export const holdsSensitive = anywhere(({ facts }) => facts.sensitive === true);
