import { isArray, isObject, type JsonArray, type JsonObject, type JsonValue, own, put } from '../base/json/json.ts';
import type { RecordContext } from '../schema/record/ref.ts';
import { itemName } from '../schema/shape/paths.ts';
import { isLiteral, type ListShape, type ObjectShape, type Shape } from '../schema/shape/shape.ts';
import { isMergedList } from './omission.ts';
import { matchingOf, partnersOf } from './partners.ts';
import { isMatched, memberShape, type Patterns, parsePatterns, patternsBelow, patternsOfItem } from './place.ts';
import { hasMembers, type ReconcileOptions, reconcile, samenessOf } from './reconcile.ts';
import { ignoredAsWhole } from './reconcileList.ts';

export interface Recreated {
  /** The declaration, with the live values under `lifecycle.ignore`. */
  readonly record: JsonObject;
  /** The same, with what the schema does not know and nobody declares here: the same object where there is none. */
  readonly whole: JsonObject;
}

/**
 * The record that is created in the place of a live one. It keeps what a patch would keep: what is ignored, and what the
 * schema does not know, always of the same item. What the platform chose, it chooses again.
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
  /** Is what nobody declares here kept, too? */
  readonly foreign: boolean;
  readonly envelope: ObjectShape;
  readonly context: RecordContext;
  /** The patterns of `lifecycle.ignore` at the place. */
  readonly ignored: Patterns;
}

/** `target`: what a patch would lead to. Undefined: the field is left out. */
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
  // What is unknown in a secret is of another type of secret.
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
 * A field that the schema knows nothing of, or of a kind that only its user knows. What it does not know of the envelope is
 * of the platform, which may refuse a record that says it, when the old one is gone.
 */
function isForeign({ envelope }: Keeping, shape: Shape, name: string): boolean {
  if (shape === envelope && envelope.rest === undefined) return false;
  if (isLiteral(shape) || shape.type === 'map') return false;
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
    // In the order of the live list, in which items of others stay.
    const all = target.map((item) => named.get(itemName(shape, item)) ?? item);
    if (all.length > kept.length) return all;
  }
  const isIgnored = ignoredAsWhole(shape, keeping.ignored);
  const names = new Set(declared.map((item) => itemName(shape, item)));
  const staying = isIgnored && target.filter((item) => isIgnored(item) && !names.has(itemName(shape, item)));
  if (staying !== undefined && staying.length > 0) return [...kept, ...staying];
  return kept.every((item, index) => item === declared[index]) ? declared : kept;
}

/** For each declared item what a patch would make of it. */
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
      return partnersOf(shape, target, declared, sameness).map((place) =>
        place === undefined ? undefined : target[place],
      );
    }
  }
}
