import type { JsonObject } from '../../schema/json/json.ts';
import type { CreatableKind } from '../../schema/record/kinds.ts';
import { attributeOf, type ObjectValue, unknown } from '../model/value.ts';
import { layoutOf } from '../schema/kindLayout.ts';
import { type ReadOptions, stateOf } from '../values/stateOf.ts';

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
