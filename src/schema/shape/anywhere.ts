import { onceForObject } from '../../base/once.ts';
import type { Shape } from './shape.ts';

/** The shapes of its fields, of its values, or of its items. */
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
 * Whether something is true of a shape or of one inside it, at any depth: most of a record need not be walked. `skip`
 * names shapes that are not looked into.
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

/** Whether the schema calls the value here, or anything inside it, sensitive. */
export const holdsSensitive = anywhere(({ facts }) => facts.sensitive === true);
