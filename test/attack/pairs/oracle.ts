import type { JsonValue } from '../../../src/base/json/json.ts';
import { type Flat, isWithin, matches } from './flat.ts';
import type { Field, KindForm } from './kinds.ts';

/** The world's knowledge of its record: its values, who declared what, and what others have touched since. */
export interface Known {
  /** The record on the platform; undefined if it does not exist. */
  readonly live: Flat | undefined;
  /** The declaration in the last apply of each stack. */
  readonly declared: ReadonlyMap<string, Flat>;
  /** Paths that a person or another stack has written or removed since a stack wrote them. */
  readonly touched: ReadonlySet<string>;
  /** The paths that a person touched last: the value is theirs, even if a stack declares the same since (law 1). */
  readonly persons: ReadonlySet<string>;
  /**
   * Paths whose owner no law defines: that the owner declared and ignored, left to a part, or got back by an undo that
   * created the record again. They may stay or be deleted.
   */
  readonly released: ReadonlySet<string>;
}

/** The values that are allowed afterwards; `undefined` means absent. */
export type Expected = ReadonlyMap<string, readonly (JsonValue | undefined)[]>;

export const unknownField = /(^|\|)future(\||$)/;

export function fieldOf(kind: KindForm, path: string): Field | undefined {
  if (path.startsWith('tags|')) return { at: path, fill: 'own', values: [] };
  return kind.fields.find(({ at }) => matches(at, path));
}

/** The innermost item that equals the path or contains it: `spec|env|A` of `spec|env|A|value`. */
export function itemOf(kind: KindForm, path: string): string | undefined {
  const segments = path.split('|');
  for (let length = segments.length; length > 1; length -= 1) {
    const list = segments.slice(0, length - 1).join('|');
    if (kind.lists.some(({ at }) => matches(at, list))) return segments.slice(0, length).join('|');
  }
  return undefined;
}

/** All items that contain the path, the outermost first. */
export function itemsAround(kind: KindForm, path: string): readonly string[] {
  const around: string[] = [];
  let item = itemOf(kind, path);
  while (item !== undefined) {
    around.unshift(item);
    const list = item.slice(0, item.lastIndexOf('|'));
    item = itemOf(kind, list);
  }
  return around;
}

export function covers(pattern: string, path: string): boolean {
  return matches(pattern, path.split('|').slice(0, pattern.split('|').length).join('|'));
}

/** The unit that a stack claims: a whole item, or a path outside all items. */
function claimOf(kind: KindForm, path: string): string {
  return itemsAround(kind, path).at(-1) ?? path;
}

export function claims(kind: KindForm, declared: Flat): ReadonlySet<string> {
  const paths = [...declared.keys()].filter((path) => !(path in kind.base));
  return new Set(paths.map((path) => claimOf(kind, path)));
}

function othersClaim(kind: KindForm, known: Known, me: string, path: string): boolean {
  const around = [...itemsAround(kind, path), path];
  return [...known.declared].some(
    ([stack, declared]) => stack !== me && stack !== 'owner' && around.some((each) => claims(kind, declared).has(each)),
  );
}

export interface OwnerAct {
  readonly declares: Flat;
  readonly ignore: readonly string[];
  /** The record is renamed, without the claims of parts on the old one. */
  readonly renames?: boolean;
}

/** The expected record after its owner has applied a declaration. */
export function afterOwner(kind: KindForm, known: Known, { declares, ignore, renames = false }: OwnerAct): Expected {
  const { live } = known;
  const before = known.declared.get('owner');
  const { at: immutable = '' } = kind.immutable ?? {};
  const isReplaced = renames || live?.get(immutable) !== declares.get(immutable);
  const all = new Set([
    ...(live?.keys() ?? []),
    ...declares.keys(),
    ...kind.fields.map(({ at }) => at).filter((at) => !at.includes('*')),
  ]);
  const expected = new Map<string, readonly (JsonValue | undefined)[]>();
  for (const path of all) expected.set(path, valuesOf(path));
  return expected;

  function valuesOf(path: string): readonly (JsonValue | undefined)[] {
    const now = live?.get(path);
    const wanted = declares.get(path);
    if (live === undefined) return [wanted ?? otherwise(path)];
    if ((kind.filled ?? []).some((pattern) => covers(pattern, path))) return [now];
    const around = itemsAround(kind, path);
    if (renames && [...around, path].some((each) => partsClaim(each))) {
      // A stack claims a binding as a whole, and an ignored list is carried as it is live, without claims of others: a
      // permission of this list is kept or removed with its binding.
      const isIgnored = ignore.some((pattern) => covers(pattern, path));
      if (kind.bindings === true && isIgnored) return [now, undefined];
      // A value that a person set since stays theirs (law 1).
      const claim = claimOf(kind, path);
      const isPersons = [...known.persons].some((each) => isWithin(each, claim));
      if (wanted === undefined && isPersons && (isOwn(claim) || claim.startsWith('tags|'))) return [now];
      // A value that the owner declared too is carried with the owner's claim.
      const isTouched = [...known.touched].some((each) => isWithin(each, claim));
      const isDoubtful = isTouched || (isIgnored && known.released.has(path));
      if (wanted === undefined && isDoubtful) return [now, undefined];
      if (wanted === undefined) return isIgnored && before?.has(path) === true ? [now] : [undefined];
    }
    // In a custom kind, items that no stack declared, or a person recreated, stay.
    const isTheirs = (item: string) =>
      before?.has(item) !== true || [...known.persons].some((each) => isWithin(each, item));
    if (around.some((item) => isOwn(item) && !declares.has(item) && isTheirs(item))) {
      // An item that the stack created and then ignored may still be its own: no law says that ignoring ends a claim.
      return around.some((item) => known.touched.has(item) || known.released.has(item)) ? [now, undefined] : [now];
    }
    // The content of a removed item is removed with it.
    const going = around.filter((item) => item !== path && !survives(item, live));
    if (going.length > 0) return going.some((item) => known.released.has(item)) ? [undefined, now] : [undefined];
    if (ignore.some((pattern) => covers(pattern, path))) return ignored(path, around, live);
    if (wanted !== undefined) return [wanted];
    if (around.includes(path)) {
      // An edited binding may have belonged to another stack.
      const doubtful = (kind.bindings === true && known.touched.has(path)) || known.released.has(path);
      if (!survives(path, live)) return doubtful ? [undefined, now] : [undefined];
      // A binding has no key: an edited one may not be recognised.
      return kind.bindings === true && known.touched.has(path) ? [now, undefined] : [now];
    }
    if (unknownField.test(path)) return [now];
    if (othersClaim(kind, known, 'owner', path)) return [now];
    if (known.persons.has(path) && fieldOf(kind, path)?.fill === 'own') return [now];
    if (around.some((item) => !live.has(item))) return [otherwise(path)];
    const field = fieldOf(kind, path);
    if (field === undefined) throw new Error(`the oracle does not know ${path}`);
    const wasSet = before?.has(path) === true;
    if (field.fill === 'constant') return [otherwise(path)];
    if (field.fill === 'operational') return [now];
    // For a new record the platform chooses again, because the choice for the old one need not fit.
    if (field.fill === 'service' && isReplaced) return [now, otherwise(path)];
    if (!wasSet) return known.released.has(path) ? [now, otherwise(path)] : [now];
    // Another client may have written it since, so it may be theirs.
    return known.touched.has(path) || known.released.has(path) ? [otherwise(path), now] : [otherwise(path)];
  }

  /** An ignored value is used only when the record, or the item around it, is created. */
  function ignored(path: string, around: readonly string[], there: Flat): readonly (JsonValue | undefined)[] {
    const now = there.get(path);
    const item = around.at(-1);
    if (item === path && now === undefined) return [undefined, declares.get(path)];
    if (item !== undefined && !there.has(item)) {
      // An item that is ignored as a whole and was removed by another client may stay away.
      return [
        declares.get(path) ?? otherwise(path),
        ...(ignore.some((pattern) => covers(pattern, item)) ? [undefined] : []),
      ];
    }
    // "On create" of the record, or of a missing field.
    return now === undefined ? [undefined, declares.get(path)] : [now];
  }

  function partsClaim(path: string): boolean {
    return othersClaim(kind, known, 'owner', path);
  }

  function otherwise(path: string): JsonValue | undefined {
    return fieldOf(kind, path)?.otherwise;
  }

  function survives(item: string, there: Flat): boolean {
    if (declares.has(item)) return true;
    if (!there.has(item)) return false;
    if (ignore.some((pattern) => covers(pattern, item))) return true;
    if (othersClaim(kind, known, 'owner', item)) return true;
    // An outer item stays for the values of others in it.
    return isOwn(item) && before?.has(item) !== true;
  }

  /** Items of a custom kind, in a list that keeps items no stack declared. */
  function isOwn(item: string): boolean {
    return kind.items.find(({ at }) => matches(at, item.slice(0, item.lastIndexOf('|'))))?.own === true;
  }
}

/** The expected record after a stack has applied its declared part. */
export function afterPart(kind: KindForm, known: Known, stack: string, declares: Flat): Expected {
  const live: Flat = known.live ?? new Map();
  const before: Flat = known.declared.get(stack) ?? new Map();
  const [now, former] = [claims(kind, declares), claims(kind, before)];
  const expected = new Map<string, readonly (JsonValue | undefined)[]>();
  for (const path of new Set([...live.keys(), ...declares.keys()])) expected.set(path, valuesOf(path));
  return expected;

  function valuesOf(path: string): readonly (JsonValue | undefined)[] {
    const there = live.get(path);
    const wanted = declares.get(path);
    if (wanted !== undefined) return [wanted];
    const claim = [...itemsAround(kind, path), path].find((each) => now.has(each) || former.has(each)) ?? path;
    // In its own item, an omitted field gets its default; in an item that others declare too, it stays.
    const inside = itemsAround(kind, path).filter((item) => isWithin(item, claim) && item !== claim);
    const isUnknown = unknownField.test(path) && inside.every((item) => declares.has(item));
    if (now.has(claim)) return isUnknown ? [there] : [there, fieldOf(kind, path)?.otherwise];
    if (!former.has(claim)) return [there];
    if (known.released.has(claim)) return [there, undefined];
    // A claim of another stack may have ended, because the item was removed.
    if (claimedByOthers(claim)) return known.touched.has(claim) ? [there, undefined] : [there];
    // In a list of a known kind, the owner has every item without a record.
    if ([...known.persons].some((each) => isWithin(each, claim))) return [there];
    const touched = [...known.touched].some((each) => isWithin(each, claim));
    return touched ? [there, undefined] : [undefined];
  }

  function claimedByOthers(claim: string): boolean {
    return [...known.declared].some(([other, declared]) => other !== stack && claims(kind, declared).has(claim));
  }
}

/** The first path whose value is not one of the expected ones. */
export function firstDifference(kind: KindForm, expected: Expected, actual: Flat): string | undefined {
  for (const path of new Set([...expected.keys(), ...actual.keys()])) {
    if ((kind.filled ?? []).some((pattern) => covers(pattern, path))) continue;
    const otherwise = fieldOf(kind, path)?.otherwise;
    const [seen, allowed] = [actual.get(path) ?? otherwise, expected.get(path) ?? [undefined]];
    const same = allowed.some((each) => JSON.stringify(each ?? otherwise) === JSON.stringify(seen));
    if (!same)
      return `${path} is ${JSON.stringify(seen)}, expected ${allowed.map((each) => JSON.stringify(each)).join(' or ')}`;
  }
  return undefined;
}
