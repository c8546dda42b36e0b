import type { JsonObject } from '../../base/json/json.ts';
import { layoutOf } from '../../hcl/schema/kindLayout.ts';
import { attributeOf, type ObjectValue, unknown } from '../../hcl/value.ts';
import { type ReadOptions, stateOf } from '../../hcl/values/stateOf.ts';
import type { CreatableKind } from '../../schema/record/kinds.ts';

/**
 * The state after an apply. `record`: the reply of the write, or the live record where nothing was written; then others
 * may have changed meanwhile what was planned to stay, which the next refresh shows.
 */
export function stateAfter(
  kind: CreatableKind,
  record: JsonObject,
  planned: ObjectValue,
  where: Omit<ReadOptions, 'hint'>,
): ObjectValue {
  const state = stateOf(kind, record, { ...where, hint: planned });
  const answers = layoutOf(kind).answered.flatMap(({ name }) => {
    const value = attributeOf(planned, name);
    return value === unknown ? [] : [[name, value] as const];
  });
  return { ...state, ...Object.fromEntries(answers) };
}
