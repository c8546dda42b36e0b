import { isEmpty } from '../../schema/normalForm/equal.ts';
import { memoByShape } from '../../schema/shape/memoByShape.ts';
import type { ObjectShape, Shape } from '../../schema/shape/shape.ts';

/** Does a field that is left out have a value all the same: its default, or what the platform fills in? */
export function isFilled(shape: Shape): boolean {
  const { facts } = shape;
  switch (facts.fill) {
    case 'service':
    case 'derived':
    case 'operational':
    case 'irremovable':
      return true;
    case 'constant':
      return shape.type === 'object' ? fillsInside(shape) : facts.default !== undefined && !isEmpty(facts.default);
    default:
      return shape.type === 'object' && fillsInside(shape);
  }
}

/** Does the platform fill in something of the object when it is left out as a whole? Defaults alone are not stored. */
const fillsInside = memoByShape((shape: ObjectShape): boolean =>
  [...shape.fields.values()].some(
    (field) => field.facts.responseOnly !== true && field.facts.fill !== 'constant' && isFilled(field),
  ),
);
