import { isArray, isObject, type JsonValue } from './json.ts';

/**
 * Whether a document has more levels of lists and objects than this. Deeper nesting would overflow the stack of a
 * recursive walk.
 */
export function isDeeperThan(value: JsonValue, levels: number): boolean {
  if (isArray(value)) {
    if (levels === 0) return true;
    for (const item of value) if (isDeeperThan(item, levels - 1)) return true;
    return false;
  }
  if (!isObject(value)) return false;
  if (levels === 0) return true;
  for (const key in value) {
    const member = value[key];
    if (typeof member === 'object' && isDeeperThan(member, levels - 1)) return true;
  }
  return false;
}
