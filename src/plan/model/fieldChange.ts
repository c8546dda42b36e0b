import type { FieldChange as RecordFieldChange, SensitiveValue } from '../../patch/show/fieldChanges.ts';
import type { Risk } from '../../schema/facts/risk.ts';
import { isObject, type JsonValue } from '../../schema/json/json.ts';
import type { Cause } from './cause.ts';

/** One field that will be different. `old` absent: it is added; `new` absent: it is removed. */
export interface FieldChange extends RecordFieldChange {
  /** What the change of this field can do; absent where nothing is known of it: `none`. */
  readonly risk?: Risk;
  /** Why it differs, where others wrote since and the audit trail tells what; absent: as for the whole change. */
  readonly cause?: Cause;
}

/** Does it stand for a value that nobody may see? */
export function isHidden(value: JsonValue | SensitiveValue | undefined): value is SensitiveValue {
  return isObject(value) && value['sensitive'] === true;
}
