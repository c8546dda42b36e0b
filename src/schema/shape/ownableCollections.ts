import { onceForObject } from '../../base/once.ts';
import { holdsSensitive } from './anywhere.ts';
import type { ListShape, MapShape, ObjectShape, Shape } from './shape.ts';

/** Lists and maps of which several stacks may each own some items (`lifecycle.part`). */
export type Collection = ListShape | MapShape;

/**
 * Whether single items can be owned: in keyed lists, sets, lists whose content identifies items, and maps; never if
 * they may contain secrets, because a part is recorded by hashes, and the hash of a secret reveals something about it.
 */
function isCollection(shape: Shape): shape is Collection {
  if (holdsSensitive(shape)) return false;
  if (shape.type === 'map') return true;
  if (shape.type !== 'list') return false;
  const { list, byContent } = shape.facts;
  if (list?.class === 'set') return shape.item.type === 'scalar';
  return list?.class === 'keyed' || byContent === true;
}

/** The separately shared collections inside the items of this one, by field name. */
export const ownableCollections = onceForObject((shape: Shape): ReadonlyMap<string, Collection> => {
  const item = shape.type === 'list' ? shape.item : undefined;
  const found = new Map<string, Collection>();
  if (item?.type !== 'object') return found;
  for (const [name, field] of item.fields)
    if (field.facts.shared === true && isCollection(field)) found.set(name, field);
  return found;
});

/** The fields of an object that are collections, or objects that contain some. */
export const waysToCollections = onceForObject((shape: ObjectShape): ReadonlyMap<string, Collection | ObjectShape> => {
  const ways = new Map<string, Collection | ObjectShape>();
  for (const [name, field] of shape.fields) {
    if (field.facts.responseOnly === true) continue;
    if (isCollection(field) || (field.type === 'object' && waysToCollections(field).size > 0)) ways.set(name, field);
  }
  return ways;
});
