import type { ListKey } from '../../schema/facts/fieldFacts.ts';
import type { JsonArray } from '../../schema/json/json.ts';
import type { RecordContext } from '../../schema/record/context.ts';
import { effectiveList } from '../../schema/shape/listKey.ts';
import type { ListShape } from '../../schema/shape/shape.ts';
import { type Identity, identityOf } from '../model/identity.ts';

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
  /** `hasKeys`: they do not tell the items apart. */
  | { readonly by: 'position'; readonly hasKeys: boolean };

export function matchingOf(shape: ListShape, live: JsonArray, desired: JsonArray, context: RecordContext): Matching {
  const list = effectiveList(shape, live, desired);
  if (list.class === 'set') return { by: 'membership' };
  if (list.class !== 'keyed') return { by: 'position', hasKeys: false };
  const identity = identityOf(shape, live, context);
  const areDistinct =
    identity !== undefined &&
    [live, desired].every((items) => new Set(items.map(identity.ofItem)).size === items.length);
  if (!areDistinct) return { by: 'position', hasKeys: true };
  return { by: 'key', key: list.key, identity, firstWith: list.firstWith };
}
