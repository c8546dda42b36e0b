import { isObject, type JsonValue } from '../schema/json/json.ts';
import type { SensitiveValue } from './plan.ts';

/** Does it stand for a value that nobody may see? */
export function isHidden(value: JsonValue | SensitiveValue | undefined): value is SensitiveValue {
  return isObject(value) && value['sensitive'] === true;
}
