import { isObject, type JsonObject, type JsonValue } from '../base/json/json.ts';
import { equalValues } from '../kinds/equal.ts';
import { valueWhenOmitted } from '../kinds/normalise.ts';
import type { RecordContext } from '../schema/record/ref.ts';
import { keyFields } from '../schema/shape/listKey.ts';
import { itemName, quoted } from '../schema/shape/paths.ts';
import type { ListShape, Shape } from '../schema/shape/shape.ts';
import { isMatched, type Patterns, patternsOfItem } from './place.ts';
import type { StoredForms } from './recorder.ts';

/** The reason why a live field that the manifest omits stays or goes, by its fill class. */
export type Omission =
  /** The platform chose it, unless an earlier write of this stack set it. */
  | { readonly decides: 'platform'; readonly wasSet: boolean }
  /** An operator switched it, and it is left to operators. */
  | { readonly decides: 'operator' }
  /** It follows from the surrounding fields; `means` is undefined if these do not determine it. */
  | { readonly decides: 'record'; readonly means: JsonValue | undefined; readonly agrees: boolean; readonly own?: true }
  /** It comes back with this value when it is removed. */
  | { readonly decides: 'refill'; readonly means: JsonValue }
  /** Absent means empty, or the default; `agrees`: live has the same meaning. */
  | { readonly decides: 'manifest'; readonly agrees: boolean; readonly own?: true };

export interface OmissionContext {
  readonly context: RecordContext;
  /** Whether an earlier write of this stack set the field at this path. */
  readonly wasSet: (path: string) => boolean;
  readonly revertOperational: boolean;
  readonly stored?: StoredForms | undefined;
  /** The objects around the field, starting with the record. */
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
  // The members of an object are decided one by one.
  if (!isEmptiedWhenOmitted(shape, live) && isFilled()) return { decides: 'manifest', agrees: true, own: true };
  return { decides: 'manifest', agrees: false };
}

/** Whether it is a keyed list of a custom kind, whose items are decided one by one, like fields. */
export function isMergedList(shape: Shape): shape is ListShape {
  return shape.type === 'list' && shape.facts.merged === true;
}

/** Whether an omitted item of such a list stays. True unless an earlier write of this stack set it. */
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

/** Whether an omitted object is emptied. If its presence has a meaning (a probe, a query), it is removed as a whole. */
export function isEmptiedWhenOmitted(shape: Shape, live: JsonValue): live is JsonObject {
  return shape.type === 'object' && isObject(live) && shape.facts.presence !== true;
}

/** Whether omitting the value means the same: it follows from its neighbours, is empty, or is the default. */
export function impliedByAbsence(
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
