import { isObject, type JsonArray, type JsonValue } from '../base/json/json.ts';
import type { Pointer } from '../base/json/pointer.ts';
import { memberKey } from '../kinds/equal.ts';
import type { ListKey } from '../schema/facts/fieldFacts.ts';
import type { RecordContext } from '../schema/record/ref.ts';
import { comparableKey, itemKey, namesItself } from '../schema/shape/listKey.ts';
import { itemName, type PathSegment, parsePath, quoted } from '../schema/shape/paths.ts';
import { type FreeShape, fieldShape, isMerged, type ListShape, type Shape } from '../schema/shape/shape.ts';

/** Where in a document we are: as keys and indexes, and in the words of messages. */
export interface Place {
  readonly pointer: Pointer;
  /** Dotted, list items by key. */
  readonly path: string;
}

export const root: Place = { pointer: [], path: '' };

/** `label`: what the path says, where that is not the step itself. */
export function inside(place: Place, step: string | number, label: string = String(step)): Place {
  return { pointer: [...place.pointer, step], path: pathInside(place.path, label) };
}

/** The path of what has this name at a path. */
export function pathInside(path: string, name: string): string {
  return path === '' ? quoted(name) : `${path}.${quoted(name)}`;
}

/** The shape of what the schema does not know: it passes through as it is. */
const freeShape: FreeShape = { type: 'free', facts: {} };

/** The shape of an object's member; free-form where nothing is declared. */
export function memberShape(shape: Shape, name: string): Shape {
  if (shape.type === 'object') return fieldShape(shape, name) ?? freeShape;
  if (isMerged(shape)) return shape;
  return shape.type === 'map' ? shape.value : freeShape;
}

/** The shape of a list's items. */
export function itemShape(shape: Shape): Shape {
  return shape.type === 'list' ? shape.item : freeShape;
}

/** The rest of paths at one place (`lifecycle.ignore`, `lifecycle.sensitive`): the segments still to be matched. */
export type Patterns = readonly (readonly PathSegment[])[];

export const noPatterns: Patterns = [];

/** Malformed paths name nothing; `manifest/` reports them. */
export function parsePatterns(paths: readonly string[] = []): Patterns {
  return paths.map(parsePath).filter((segments) => segments !== undefined);
}

/** The patterns below a member or an item that goes by these names; without names, by any. */
export function patternsBelow(patterns: Patterns, ...names: readonly string[]): Patterns {
  if (patterns.length === 0) return noPatterns;
  return patterns.flatMap(([segment, ...rest]) => {
    if (segment === undefined) return [];
    return segment.any || names.length === 0 || names.includes(segment.name) ? [rest] : [];
  });
}

/** Whether a pattern ends here. */
export function isMatched(patterns: Patterns): boolean {
  return patterns.some((segments) => segments.length === 0);
}

/**
 * The patterns inside the items of a list. `key`: the one item that has it; else the item at this position, or any. An
 * item that has no key is known by what it says, so a pattern cannot mean it as a whole.
 */
export function patternsOfItem(patterns: Patterns, key: string | undefined, position?: number): Patterns {
  if (patterns.length === 0) return noPatterns;
  if (key !== undefined) return patternsBelow(patterns, key);
  const names = position === undefined ? [] : [String(position)];
  return patternsBelow(patterns, ...names).filter((segments) => segments.length > 0);
}

/** The way to the present place of a walk: the text of a path is made only when it is asked for. */
export interface Trail {
  readonly trail: readonly (string | ItemStep)[];
}

/** A step into a list. */
export interface ItemStep {
  readonly list: ListShape;
  readonly item: JsonValue;
  readonly position: number;
  /** For a recorder: the live item, and the position of the declared one. */
  readonly held?: JsonValue;
  readonly declaredAt?: number;
}

/** The key of the item in its own spelling; its position where it has none. */
function stepName({ list, item, position }: ItemStep): string {
  return itemName(list, item) ?? String(position);
}

/** The path of the present place, as `schema/shape/paths.ts` writes it. */
export function pathOf({ trail }: Trail): string {
  return trail.map((step) => quoted(typeof step === 'string' ? step : stepName(step))).join('.');
}

/** How directives name the items of one list (platform/patch.list-keys). */
export interface Identity {
  /** `self`: each scalar is its own key, and more than one may be equal. */
  readonly by: 'key' | 'self';
  readonly evidence: ListKey['evidence'];
  /** Undefined: this item cannot be named. */
  readonly ofItem: (item: JsonValue) => string | undefined;
  /** The same for an item of `$patch/...`, which must say itself which one it means. */
  readonly ofPatch: (item: JsonValue) => string | undefined;
  /** The item that a string of `$drop/...` or `$retain/...` means; comparable with `ofItem`. */
  readonly ofText: (text: string) => string;
  /** The text that names this item in `$drop/...` and `$retain/...`. */
  readonly textOf: (item: JsonValue) => string | undefined;
}

/** Undefined: the items of the list have no key, so no directive but `$append` can be used. */
export function identityOf(shape: Shape, items: JsonArray, context: RecordContext): Identity | undefined {
  if (shape.type === 'list') {
    const { list } = shape.facts;
    if (list?.class === 'keyed') return keyIdentity(list.key);
    if (shape.item.type === 'scalar') return memberIdentity(shape, context);
    if (shape.item.type !== 'free') return undefined;
  }
  return items.every(isScalar) ? textIdentity : undefined;
}

function isScalar(item: JsonValue): boolean {
  return item === null || typeof item !== 'object';
}

/** In free-form JSON nothing is known of the items but their text. */
const textIdentity = identityByText((text) => text);

function memberIdentity(shape: ListShape, context: RecordContext): Identity {
  return identityByText((text) => memberKey(shape, text, context));
}

function identityByText(ofText: (text: string) => string): Identity {
  return {
    by: 'self',
    evidence: 'stated',
    ofItem: (item) => (isScalar(item) ? ofText(String(item)) : undefined),
    ofPatch: () => undefined,
    ofText,
    textOf: (item) => (isScalar(item) ? String(item) : undefined),
  };
}

export function keyIdentity(key: ListKey): Identity {
  const { parts, evidence } = key;
  const ofItem = (item: JsonValue) => (isObject(item) ? itemKey(key, item) : undefined);
  return {
    by: 'key',
    evidence,
    ofItem,
    ofPatch: (item) => (isObject(item) && namesItself(key, item) ? ofItem(item) : undefined),
    ofText: (text) => comparableKey(key, text),
    // As the item spells it: another platform may not know an item by its last segment, or in another case.
    textOf: (item) => (isObject(item) ? itemKey({ parts, evidence }, item) : undefined),
  };
}
