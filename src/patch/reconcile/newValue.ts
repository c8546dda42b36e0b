import type { JsonValue } from '../../base/json/json.ts';
import type { ListShape, Shape } from '../../schema/shape/shape.ts';
import type { Walk } from '../model/walk.ts';
import { withoutNulls } from '../model/withoutNulls.ts';
import { keysOf, withoutDefaults } from './withoutDefaults.ts';

/** What is written where live holds nothing: without nulls, and without what absence means anyway. */
export function newValue(shape: Shape, desired: JsonValue, walk: Walk): JsonValue {
  const value = withoutNulls(shape, desired);
  return walk.stored?.hasOtherDefaults === true ? value : withoutDefaults(shape, value, walk.enclosing, walk.context);
}

/** The same for an item, without nulls, that joins a list; it keeps what identifies it. */
export function newItem(list: ListShape, item: JsonValue, walk: Walk): JsonValue {
  if (walk.stored?.hasOtherDefaults === true) return item;
  return withoutDefaults(list.item, item, walk.enclosing, walk.context, keysOf(list));
}
