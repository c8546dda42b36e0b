import type { JsonObject, JsonValue } from '../../base/json/json.ts';
import type { RecordContext } from '../../schema/record/context.ts';
import type { Shape } from '../../schema/shape/shape.ts';
import type { Candidate } from './cost.ts';

/**
 * Which directives a patch may have: `all`; `stated`, without list keys that are only our ruling (platform/patch.list-keys);
 * `replace`, none for the items of lists; `plain`, none but `$drop`; `drop`, the same where a plain list does not
 * replace the one that is there, so that it is dropped first.
 */
export type Directives = 'all' | 'stated' | 'replace' | 'plain' | 'drop';

/** Are lists written as a whole? */
export function writesWholeLists(directives: Directives): boolean {
  return directives === 'replace' || !mayReplace(directives);
}

/** May a patch have `$replace/...`? */
export function mayReplace(directives: Directives): boolean {
  return directives !== 'plain' && directives !== 'drop';
}

export interface WriteOptions {
  readonly context: RecordContext;
  readonly directives: Directives;
}

/** How items of lists are written; given by `writePatch`, which knows the rest of the language. */
export interface ItemWriter extends WriteOptions {
  /** The entries that lead from one item to the other; undefined when there is no way. */
  readonly changed: (shape: Shape, live: JsonObject, target: JsonObject) => Candidate | undefined;
  /** A value as it is written where nothing was; undefined when it cannot be. */
  readonly made: (shape: Shape, target: JsonValue) => JsonValue | undefined;
}
