import type { AttributePath, Diagnostic } from '../../terraform/model/diagnostic.ts';
import {
  attributeOf,
  isListValue,
  isObjectValue,
  type ObjectValue,
  unknown,
  type Value,
} from '../../terraform/model/value.ts';
import { pathText } from '../../terraform/values/manifestOf.ts';

/**
 * Terraform calls it a fault of the provider when a value is another one than planned; it is the platform that has
 * stored another one. Known values only: what was unknown may be anything.
 */
export function differsFromPlan(id: string, planned: ObjectValue, state: ObjectValue): readonly Diagnostic[] {
  return differences(planned, state, []).map((path) => ({
    severity: 'error',
    summary: `${id}: the platform has stored another ${pathText(path)} than planned`,
    detail: 'It was written. Plan again: the difference is shown, and what to write so that it is none.',
    path,
  }));
}

function differences(planned: Value, state: Value, path: AttributePath): readonly AttributePath[] {
  if (planned === unknown) return [];
  if (isListValue(planned) && isListValue(state) && planned.length === state.length) {
    return planned.flatMap((item, index) => differences(item, state[index] ?? null, [...path, index]));
  }
  if (isObjectValue(planned) && isObjectValue(state)) {
    const names = [...new Set([...Object.keys(planned), ...Object.keys(state)])];
    return names.flatMap((name) => differences(attributeOf(planned, name), attributeOf(state, name), [...path, name]));
  }
  return planned === state ? [] : [path];
}
