import { isArray, isObject, type JsonObject, type JsonValue, own } from '../../base/json/json.ts';
import { meantOrAvailable } from '../../base/text/suggestion.ts';
import { fieldShape, type ListShape, type Shape } from '../../schema/shape/shape.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { keyFieldOf } from './setPatch.ts';

/**
 * A path below an item of a list names one that exists: a mistyped key would add an item. An item is added on purpose
 * by its own path with JSON; items that are a name and a value, such as variables, need none. `whole`: the paths of the
 * assignments. Returns undefined if every item exists.
 */
export function missingItem(
  shape: Shape,
  patch: JsonObject,
  record: JsonObject,
  whole: ReadonlySet<string>,
): UsageError | undefined {
  const items = [...newItems(shape, patch, record, '')];
  const missing = items.find(({ list, key }) => !whole.has(`${list}.${key}`));
  if (missing === undefined) return undefined;
  const { list, key, keys } = missing;
  return new UsageError(
    `${list} has no item ${JSON.stringify(key)}`,
    `${meantOrAvailable(key, keys)} To add one, give the whole item: --set '${list}.${key}={…}'.`,
  );
}

interface NewItem {
  readonly list: string;
  readonly key: string;
  /** The keys of the live items. */
  readonly keys: readonly string[];
}

function* newItems(shape: Shape, patch: JsonObject, live: JsonObject, before: string): Generator<NewItem> {
  for (const [member, value] of Object.entries(patch)) {
    const [, name = member] = /^\$patch\/(.+)$/.exec(member) ?? [];
    const field = shape.type === 'object' ? fieldShape(shape, name) : shape.type === 'map' ? shape.value : undefined;
    const [path, there] = [before === '' ? name : `${before}.${name}`, own(live, name)];
    if (field?.type === 'list' && name !== member) yield* newItemsOf(field, value, there ?? [], path);
    else if (field !== undefined && isObject(value)) yield* newItems(field, value, isObject(there) ? there : {}, path);
  }
}

function* newItemsOf(list: ListShape, patched: JsonValue, there: JsonValue, path: string): Generator<NewItem> {
  const keyField = keyFieldOf(list);
  const isPair = list.item.type === 'object' && list.item.fields.get('value')?.type === 'scalar';
  if (keyField === undefined || !isArray(patched) || !isArray(there) || isPair) return;
  const live = there.filter(isObject);
  for (const item of patched.filter(isObject)) {
    const key = String(own(item, keyField));
    const found = live.find((each) => String(own(each, keyField)) === key);
    if (found === undefined) yield { list: path, key, keys: live.map((each) => String(own(each, keyField))) };
    else yield* newItems(list.item, item, found, `${path}.${key}`);
  }
}
