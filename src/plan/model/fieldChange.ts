import { isObject, type JsonValue } from '../../base/json/json.ts';
import type { FieldChange as RecordFieldChange, SensitiveValue } from '../../patch/show/fieldChanges.ts';
import type { Risk } from '../../schema/facts/risk.ts';
import type { Cause } from './cause.ts';

/** One field that will be different. `old` absent: it is added; `new` absent: it is removed. */
export interface FieldChange extends RecordFieldChange {
  /** The risk of the change of this field; absent where nothing is known of it: `none`. */
  readonly risk?: Risk;
  /**
   * The cause of this field, if others wrote since and the audit trail shows which; absent: the cause of the whole
   * change.
   */
  readonly cause?: Cause;
}

/** Is it the mask of a sensitive value? */
export function isHidden(value: JsonValue | SensitiveValue | undefined): value is SensitiveValue {
  return isObject(value) && value['sensitive'] === true;
}
