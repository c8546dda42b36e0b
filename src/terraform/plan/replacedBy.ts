import { shapeFacts, valueAt } from '../../plan/record/shapeFacts.ts';
import { equalValues } from '../../schema/normalForm/equal.ts';
import { type CreatableKind, isGvcScoped } from '../../schema/record/kinds.ts';
import { shapeOf } from '../../schema/shape/shapeOf.ts';
import type { AttributePath } from '../model/diagnostic.ts';
import { attributeOf, holdsUnknown, isObjectValue, type ObjectValue, unknown, type Value } from '../model/value.ts';
import { own } from '../schema/ownAttributes.ts';
import { attributePathOf } from '../values/attributePath.ts';
import type { Target } from './target.ts';

export interface PlannedUpdate {
  readonly kind: CreatableKind;
  readonly config: ObjectValue;
  readonly prior: ObjectValue;
  readonly planned: ObjectValue;
  readonly target: Target;
}

/** The attributes that change and that the platform does not change in place. */
export function replacedBy({ kind, config, prior, planned, target }: PlannedUpdate): readonly AttributePath[] {
  const { before, after, context } = target;
  const names = ['name', ...(isGvcScoped(kind) ? [own.gvc] : [])];
  const address = names.filter((name) => attributeOf(planned, name) !== attributeOf(prior, name));
  const shape = shapeOf(kind, before);
  const fields = shapeFacts(shape).immutable.flatMap(({ pointer, shape: field }): readonly AttributePath[] => {
    const path = attributePathOf(kind, pointer, config);
    const changes =
      holdsUnknown(attributeAt(config, path)) ||
      !equalValues(field, valueAt(before, pointer), valueAt(after, pointer), context);
    return changes ? [path] : [];
  });
  return [...address.map((name) => [name]), ...fields];
}

/** The attribute at a path without positions in lists; unknown in what is unknown. */
function attributeAt(object: ObjectValue, path: AttributePath): Value {
  return path.reduce<Value>(
    (at, step) => (isObjectValue(at) ? attributeOf(at, String(step)) : at === unknown ? unknown : null),
    object,
  );
}
