import { own } from '../schema/ownAttributes.ts';
import { isObjectValue, type ObjectValue } from '../value.ts';

/** A state as its record is: `tags` has all tags of the resource. */
export function withAllTags({ [own.tagsAll]: all, ...state }: ObjectValue): ObjectValue {
  return isObjectValue(all) && Object.keys(all).length > 0 ? { ...state, tags: all } : state;
}
