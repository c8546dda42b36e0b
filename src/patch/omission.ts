import { isObject, type JsonObject, type JsonValue } from '../base/json/json.ts';
import { equalValues } from '../kinds/equal.ts';
import { valueWhenOmitted } from '../kinds/normalise.ts';
import type { RecordContext } from '../schema/record/ref.ts';
import { keyFields } from '../schema/shape/listKey.ts';
import { itemName, quoted } from '../schema/shape/paths.ts';
import type { ListShape, Shape } from '../schema/shape/shape.ts';
import { isMatched, type Patterns, patternsOfItem } from './place.ts';
import type { StoredForms } from './recorder.ts';

/** Who decides on a field that live holds and the manifest leaves out, by its fill class. */
export type Omission =
  /** The platform chose it, unless this stack set it by an earlier write. */
  | { readonly decides: 'platform'; readonly wasSet: boolean }
  /** An operator switched it, and it is left to operators. */
  | { readonly decides: 'operator' }
  /** It follows from the fields around it; undefined `means`: these do not tell. */
  | { readonly decides: 'record'; readonly means: JsonValue | undefined; readonly agrees: boolean; readonly own?: true }
  /** It comes back when it is removed, with this value. */
  | { readonly decides: 'refill'; readonly means: JsonValue }
  /** Absent means empty, or the default; `agrees`: live means that too. */
  | { readonly decides: 'manifest'; readonly agrees: boolean; readonly own?: true };

export interface OmissionContext {
  readonly context: RecordContext;
  /** Did this stack set the field at this path by an earlier write? */
  readonly wasSet: (path: string) => boolean;
  readonly revertOperational: boolean;
  readonly stored?: StoredForms | undefined;
  /** The objects around the field, the record first. */
  readonly enclosing: readonly JsonObject[];
}

export function omissionOf(shape: Shape, live: JsonValue, path: () => string, around: OmissionContext): Omission {
  const { facts } = shape;
  const isFilled = (): boolean => around.stored?.isFilled(path(), shape, live) === true;
  switch (facts.fill) {
    case 'service':
      return { decides: 'platform', wasSet: around.wasSet(path()) };
    case 'operational':
      if (around.revertOperational || equalValues(shape, live, undefined, around.context)) break;
      return { decides: 'operator' };
    case 'derived': {
      const means = valueWhenOmitted(facts, around.enclosing);
      if (equalValues(shape, live, means, around.context)) return { decides: 'record', means, agrees: true };
      if (isFilled()) return { decides: 'record', means, agrees: true, own: true };
      return { decides: 'record', means, agrees: false };
    }
    case 'irremovable': {
      const means = valueWhenOmitted(facts, around.enclosing);
      if (means === undefined) break;
      if (!equalValues(shape, live, means, around.context) && isFilled()) break;
      return { decides: 'refill', means };
    }
  }
  if (equalValues(shape, live, undefined, around.context)) return { decides: 'manifest', agrees: true };
  // What is in an object is asked for member by member.
  if (!isEmptiedWhenOmitted(shape, live) && isFilled()) return { decides: 'manifest', agrees: true, own: true };
  return { decides: 'manifest', agrees: false };
}

/** A list of a kind that only its user knows, with a key: its items are decided on one by one, as fields are. */
export function isMergedList(shape: Shape): shape is ListShape {
  return shape.type === 'list' && shape.facts.merged === true && shape.facts.list?.class === 'keyed';
}

/** Does an item of such a list stay that the manifest leaves out? Yes, unless this stack set it by an earlier write. */
export function isUnmentioned(
  shape: ListShape,
  item: JsonValue,
  path: () => string,
  { wasSet, ignored }: Pick<OmissionContext, 'wasSet'> & { readonly ignored: Patterns },
): boolean {
  const name = itemName(shape, item);
  const [key] = keyFields(shape);
  if (key === undefined || name === undefined) return false;
  if (isMatched(patternsOfItem(ignored, name))) return true;
  return !wasSet(`${path()}.${quoted(name)}.${quoted(key)}`);
}

/** Where its presence means something (a probe, a query), an object is left out as a whole; elsewhere it is emptied. */
export function isEmptiedWhenOmitted(shape: Shape, live: JsonValue): live is JsonObject {
  return shape.type === 'object' && isObject(live) && shape.facts.presence !== true;
}

/** Does omitting the value mean the same? Yes if it follows from its neighbors, is empty, or is the default. */
export function saidByAbsence(
  shape: Shape,
  stated: JsonValue,
  { enclosing, context }: Pick<OmissionContext, 'enclosing' | 'context'>,
): 'derived' | 'absent' | undefined {
  if (shape.facts.fill === 'derived') {
    const means = valueWhenOmitted(shape.facts, enclosing);
    if (means !== undefined && equalValues(shape, means, stated, context)) return 'derived';
  }
  return equalValues(shape, undefined, stated, context) ? 'absent' : undefined;
}
