import { isObject, type JsonObject, own } from '../../base/json/json.ts';
import type { Sensitivity } from '../../patch/model/sensitivity.ts';
import { fieldChanges } from '../../patch/show/fieldChanges.ts';
import { type Collection, waysToCollections } from '../../schema/shape/ownableCollections.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import { type ItemPath, itemsOf } from '../claims/items.ts';
import type { FieldChange } from '../model/fieldChange.ts';
import { type BeforeAndAfter, pathText } from './conflicts.ts';

/**
 * What a part changes, for people. Sets and lists without keys are shown item by item: what others have in them is not
 * this stack's business, and may change between the approval and the write. `merged`: the record with the items as they
 * are declared, so that they read the same whatever stands beside them.
 */
export function partFields(
  of: BeforeAndAfter & { readonly sensitivity: Sensitivity },
  merged: JsonObject,
): readonly FieldChange[] {
  const lists = new Map(plainLists(of.shape, of.live, merged, []).map((list) => [pathText(list.path), list]));
  return fieldChanges(of.sensitivity, of.live, of.target, of.context).flatMap((change) => {
    const list = lists.get(change.path);
    return list === undefined ? [change] : itemChanges(list, of);
  });
}

interface PlainList {
  readonly path: ItemPath;
  readonly collection: Collection;
  readonly live: JsonObject;
  readonly target: JsonObject;
}

function plainLists(shape: ObjectShape, live: JsonObject, target: JsonObject, path: ItemPath): readonly PlainList[] {
  return [...waysToCollections(shape)].flatMap(([name, way]): readonly PlainList[] => {
    const [before, after] = [own(live, name), own(target, name)];
    const inside = [...path, name];
    if (way.type === 'object') {
      return plainLists(way, isObject(before) ? before : {}, isObject(after) ? after : {}, inside);
    }
    const isPlain = way.type === 'list' && way.facts.list?.class !== 'keyed';
    return isPlain ? [{ path: inside, collection: way, live, target }] : [];
  });
}

function itemChanges(
  { path, collection, live, target }: PlainList,
  { context }: BeforeAndAfter,
): readonly FieldChange[] {
  const name = path.at(-1) ?? '';
  const before = itemsOf(collection, own(live, name), context);
  const after = itemsOf(collection, own(target, name), context);
  const isIn = (items: typeof before, key: string | undefined): boolean => items.some((item) => item.key === key);
  const at = (key: string | undefined): string => pathText([...path, key ?? '']);
  return [
    ...before.filter(({ key }) => !isIn(after, key)).map(({ key, value }) => ({ path: at(key), old: value })),
    ...after.filter(({ key }) => !isIn(before, key)).map(({ key, value }) => ({ path: at(key), new: value })),
  ];
}
