import { layoutOf } from '../../hcl/schema/kindLayout.ts';
import { attributeOf, type ObjectValue, sameValue } from '../../hcl/value.ts';
import type { WrittenKind } from '../../schema/record/kinds.ts';

/** The attributes that somebody has changed since the state was read, but for those that the platform alone writes. */
export function movedAttributes(kind: WrittenKind, prior: ObjectValue, now: ObjectValue): readonly string[] {
  const own = new Set(layoutOf(kind).answered.map(({ name }) => name));
  return differentAttributes(prior, now).filter((name) => !own.has(name));
}

export function differentAttributes(prior: ObjectValue, now: ObjectValue): readonly string[] {
  const names = [...new Set([...Object.keys(prior), ...Object.keys(now)])];
  return names.filter((name) => !sameValue(attributeOf(prior, name), attributeOf(now, name))).sort();
}
