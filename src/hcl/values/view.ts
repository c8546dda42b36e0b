import type { JsonObject, JsonValue } from '../../base/json/json.ts';
import type { RecordContext } from '../../schema/record/ref.ts';
import type { Value } from '../value.ts';

/** The settings that a record is shown with. */
export interface View {
  readonly context: RecordContext;
  /**
   * `read`: the record is live, and `hint` is the last state or the plan: what means the same stays as it was written.
   * `plan`: the record is what live is to become, and `hint` is the configuration, which is shown as it is: unknown
   * stays unknown, and so is what the platform will choose.
   * `write`: the record is a manifest, and there is no hint: what it leaves out is left out.
   */
  readonly mode: 'read' | 'plan' | 'write';
  /** Something in the configuration is unknown, so that nothing can be derived from it; `name`: the name is, too. */
  readonly unknown: 'nothing' | 'something' | 'name';
  /** Of a plan: is it known which item of the last state each one around the present place is? */
  readonly isMatched: boolean;
  /** Links of the own org in their short form, as people write them; else as they are in the record. */
  readonly shortLinks: boolean;
  /** The objects of the record around the present place. */
  readonly enclosing: JsonObject[];
}

/**
 * One place of the record. `target`: what the record should be here by the hint; the same value as `live` where both
 * mean the same. Hint absent: nothing is known of how it was written, so everything is shown.
 */
export interface Place {
  readonly live: JsonValue | undefined;
  readonly target: JsonValue | undefined;
  readonly hint: Value | undefined;
}
