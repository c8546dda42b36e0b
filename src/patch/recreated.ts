import { isArray, isObject, type JsonArray, type JsonObject, type JsonValue, own, put } from '../base/json/json.ts';
import type { RecordContext } from '../schema/record/ref.ts';
import { itemName } from '../schema/shape/paths.ts';
import type { ListShape, ObjectShape, Shape } from '../schema/shape/shape.ts';
import { isMergedList } from './omission.ts';
import { matchingOf, partnersOf } from './partners.ts';
import { isMatched, memberShape, type Patterns, parsePatterns, patternsBelow, patternsOfItem } from './place.ts';
import { hasMembers, type ReconcileOptions, reconcile, samenessOf } from './reconcile.ts';
import { ignoredAsWhole, sameItems } from './reconcileList.ts';

export interface Recreated {
  /** The declaration, with the live values under `lifecycle.ignore`. */
  readonly record: JsonObject;
  /** The same plus undeclared fields unknown to the schema; the same object if there are none. */
  readonly whole: JsonObject;
}

/**
 * The record that replaces a live one. It keeps what a patch would keep: ignored values, and fields unknown to the
 * schema, always of the same item. The platform makes its choices again.
 */
export function recreated(
  shape: ObjectShape,
  live: JsonObject,
  declared: JsonObject,
  options: ReconcileOptions,
): Recreated {
  const { target } = reconcile(shape, live, declared, options);
  const ignored = parsePatterns(options.ignore);
  const keep = (foreign: boolean): JsonObject => {
    const kept = keepIn({ foreign, envelope: shape, context: options.context, ignored }, shape, target, declared);
    return isObject(kept) ? kept : declared;
  };
  const record = keep(false);
  const whole = keep(true);
  return { record, whole };
}

interface Keeping {
  /** Whether undeclared unknown fields are kept too. */
  readonly foreign: boolean;
  readonly envelope: ObjectShape;
  readonly context: RecordContext;
  /** The patterns of `lifecycle.ignore` at the place. */
  readonly ignored: Patterns;
}

/** `target`: the result of a patch. Returns undefined to omit the field. */
function keepIn(
  keeping: Keeping,
  shape: Shape,
  target: JsonValue | undefined,
  declared: JsonValue | undefined,
): JsonValue | undefined {
  const { ignored } = keeping;
  if (target === undefined || shape.facts.responseOnly === true) return declared;
  if (isMatched(ignored)) return target;
  if (shape.type === 'list' && isArray(target) && isArray(declared)) {
    return keepInItems(keeping, shape, target, declared);
  }
  const isInside = isObject(target) && (declared === undefined || declared === null || isObject(declared));
  if (!isInside || !hasMembers(shape, ignored)) return declared;
  // Unknown fields in a secret belong to another type of secret.
  const inside = shape.facts.sensitive === true ? { ...keeping, foreign: false } : keeping;
  return keepInMembers(inside, shape, target, isObject(declared) ? declared : undefined);
}

function keepInMembers(
  keeping: Keeping,
  shape: Shape,
  target: JsonObject,
  declared: JsonObject | undefined,
): JsonObject | undefined {
  let changed: Record<string, JsonValue> | undefined;
  for (const name of Object.keys(target)) {
    const [after, said] = [own(target, name), declared === undefined ? undefined : own(declared, name)];
    const isKept = keeping.foreign && said === undefined && isForeign(keeping, shape, name);
    const below = { ...keeping, ignored: patternsBelow(keeping.ignored, name) };
    const kept = isKept ? after : keepIn(below, memberShape(shape, name), after, said);
    if (kept === undefined || kept === said) continue;
    changed ??= { ...declared };
    put(changed, name, kept);
  }
  return changed ?? declared;
}

/**
 * A field unknown to the schema, or of a custom kind. Unknown envelope fields are the platform's, which may refuse a
 * record with them after the old one is deleted.
 */
function isForeign({ envelope }: Keeping, shape: Shape, name: string): boolean {
  if (shape === envelope && envelope.rest === undefined) return false;
  return (shape.type === 'object' && !shape.fields.has(name)) || memberShape(shape, name).facts.merged === true;
}

function keepInItems(keeping: Keeping, shape: ListShape, target: JsonArray, declared: JsonArray): JsonArray {
  const partners = partnersIn(keeping, shape, target, declared);
  const kept = declared.map((item, index) => {
    const ignored = patternsOfItem(keeping.ignored, itemName(shape, item), index);
    return keepIn({ ...keeping, ignored }, shape.item, partners[index], item) ?? item;
  });
  if (keeping.foreign && isMergedList(shape)) {
    const named = new Map(declared.map((item, index) => [itemName(shape, item), kept[index] ?? item]));
    // In live order, which includes items of others.
    const all = target.map((item) => named.get(itemName(shape, item)) ?? item);
    if (all.length > kept.length) return all;
  }
  const isIgnored = ignoredAsWhole(shape, keeping.ignored);
  const names = new Set(declared.map((item) => itemName(shape, item)));
  const staying = target.filter((item) => isIgnored?.(item) === true && !names.has(itemName(shape, item)));
  const all = [...kept, ...staying];
  return sameItems(all, declared) ? declared : all;
}

/** For each declared item the result of a patch. */
function partnersIn(
  { context, ignored }: Keeping,
  shape: ListShape,
  target: JsonArray,
  declared: JsonArray,
): readonly (JsonValue | undefined)[] {
  const matching = matchingOf(shape, target, declared);
  switch (matching.by) {
    case 'membership':
      return [];
    case 'key': {
      const { ofItem } = matching.identity;
      const byKey = new Map(target.map((item) => [ofItem(item), item]));
      return declared.map((item) => byKey.get(ofItem(item)));
    }
    case 'order': {
      const sameness = samenessOf(shape, ignored, { context, enclosing: [] });
      return partnersOf(shape, target, declared, sameness).map((place = -1) => target[place]);
    }
  }
}
