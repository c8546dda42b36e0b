import type { JsonArray } from '../../base/json/json.ts';
import type { ListKey } from '../../schema/facts/fieldFacts.ts';
import { effectiveList } from '../../schema/shape/listKey.ts';
import type { ListShape } from '../../schema/shape/shape.ts';
import { type Identity, keyIdentity } from '../model/place.ts';

/** How the items of a list find those that are declared. */
export type Matching =
  | { readonly by: 'membership' }
  /** `firstWith`: of the items with one of these fields the first one counts. */
  | {
      readonly by: 'key';
      readonly key: ListKey;
      readonly identity: Identity;
      readonly firstWith: readonly string[] | undefined;
    }
  /** The order has a meaning: `partnersOf` says which live item each one is. */
  | { readonly by: 'order' };

export function matchingOf(shape: ListShape, live: JsonArray, desired: JsonArray): Matching {
  const list = effectiveList(shape, live, desired);
  if (list.class === 'set') return { by: 'membership' };
  if (list.class === 'sequence') return { by: 'order' };
  return { by: 'key', key: list.key, identity: keyIdentity(list.key), firstWith: list.firstWith };
}
