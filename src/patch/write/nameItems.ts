import type { JsonArray, JsonValue } from '../../base/json/json.ts';
import type { Shape } from '../../schema/shape/shape.ts';
import { type Identity, identityOf } from '../model/identity.ts';
import type { WriteOptions } from './writeOptions.ts';

/** Both lists with the names of their items. */
export interface NamedItems {
  readonly identity: Identity;
  readonly live: readonly NamedItem[];
  readonly target: readonly NamedItem[];
  /** By name, the position in `live`; of several the last. */
  readonly positions: ReadonlyMap<string, number>;
  /** Each name stands in `live` once: always, but for plain values that are not a set. */
  readonly distinct: boolean;
}

export interface NamedItem {
  readonly name: string;
  /** What names it in `$drop` and `$retain`. */
  readonly text: string;
  readonly item: JsonValue;
}

/** A text says why items of the list cannot be named. */
export function nameItems(
  shape: Shape,
  live: JsonArray,
  target: JsonArray,
  { context, directives }: WriteOptions,
): NamedItems | string {
  const identity = identityOf(shape, live, context);
  if (identity === undefined) return 'its items have no key';
  if (directives === 'stated' && identity.evidence === 'proposed') {
    return 'the key of its items is only proposed, and the endpoint does not say that it honours all directives';
  }
  const [before, after] = [named(identity, live), named(identity, target)];
  if (before.length < live.length || after.length < target.length) return 'an item has no key';
  const positions = new Map(before.map(({ name }, position) => [name, position]));
  const distinct = positions.size === live.length;
  if (identity.by === 'key' && !distinct) return 'the keys of the live items are not unique';
  const mayRepeat = identity.by === 'self' && !isSet(shape);
  const wanted = new Set(after.map(({ name }) => name));
  if (!mayRepeat && wanted.size < target.length) return 'the keys of the items wanted are not unique';
  return { identity, live: before, target: after, positions, distinct };
}

/** The items that have a name. */
function named(identity: Identity, items: JsonArray): readonly NamedItem[] {
  return items.flatMap((item) => {
    const text = identity.textOf(item);
    return text === undefined ? [] : [{ name: identity.ofText(text), text, item }];
  });
}

export function isSet(shape: Shape): boolean {
  return shape.facts.list?.class === 'set';
}
