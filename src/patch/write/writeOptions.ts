import type { JsonObject, JsonValue } from '../../schema/json/json.ts';
import type { RecordContext } from '../../schema/record/context.ts';
import type { Shape } from '../../schema/shape/shape.ts';
import type { Candidate } from './cost.ts';

export interface WriteOptions {
  readonly context: RecordContext;
  /** `stated`: list keys that are only our ruling are not used (platform/patch.list-keys). */
  readonly directives: 'all' | 'stated';
}

/** How items of lists are written; given by `writePatch`, which knows the rest of the language. */
export interface ItemWriter extends WriteOptions {
  /** The entries that lead from one item to the other; undefined when there is no way. */
  readonly changed: (shape: Shape, live: JsonObject, target: JsonObject) => Candidate | undefined;
  /** A value as it is written where nothing was; undefined when it cannot be. */
  readonly made: (shape: Shape, target: JsonValue) => JsonValue | undefined;
}
