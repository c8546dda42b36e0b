import { isObject, type JsonArray, type JsonValue } from '../base/json/json.ts';
import type { Pointer } from '../base/json/pointer.ts';
import { memberKey } from '../kinds/equal.ts';
import type { ListKey } from '../schema/facts/fieldFacts.ts';
import type { RecordContext } from '../schema/record/ref.ts';
import { comparableKey, itemKey, namesItself } from '../schema/shape/listKey.ts';
import { itemName, type PathSegment, parsePath, quoted } from '../schema/shape/paths.ts';
import { type FreeShape, fieldShape, isMerged, type ListShape, type Shape } from '../schema/shape/shape.ts';

/** A place in a document: as keys and indexes, and as text for messages. */
export interface Place {
  readonly pointer: Pointer;
  /** Dotted, list items by key. */
  readonly path: string;
}

export const root: Place = { pointer: [], path: '' };

/** `label`: the step's name in the path, if different. */
export function inside(place: Place, step: string | number, label: string = String(step)): Place {
  return { pointer: [...place.pointer, step], path: pathInside(place.path, label) };
}

/** The path of the member with this name. */
export function pathInside(path: string, name: string): string {
  return path === '' ? quoted(name) : `${path}.${quoted(name)}`;
}

/** The shape of fields unknown to the schema: they pass through unchanged. */
const freeShape: FreeShape = { type: 'free', facts: {} };

/** The shape of an object's member; free-form if undeclared. */
export function memberShape(shape: Shape, name: string): Shape {
  if (shape.type === 'object') return fieldShape(shape, name) ?? freeShape;
  if (isMerged(shape)) return shape;
  return shape.type === 'map' ? shape.value : freeShape;
}

export function itemShape(shape: Shape): Shape {
  return shape.type === 'list' ? shape.item : freeShape;
}

/** The remaining segments of paths at one place (`lifecycle.ignore`, `lifecycle.sensitive`). */
export type Patterns = readonly (readonly PathSegment[])[];

export const noPatterns: Patterns = [];

/** Malformed paths match nothing; `manifest/` reports them. */
export function parsePatterns(paths: readonly string[] = []): Patterns {
  return paths.map(parsePath).filter((segments) => segments !== undefined);
}

/**
 * The patterns below a member or item with these names; without names, with any name. A pattern that ends here matches
 * everything inside, too.
 */
export function patternsBelow(patterns: Patterns, ...names: readonly string[]): Patterns {
  if (patterns.length === 0) return noPatterns;
  return patterns.flatMap(([segment, ...rest]) => {
    if (segment === undefined) return [[]];
    return segment.any || names.length === 0 || names.includes(segment.name) ? [rest] : [];
  });
}

/** Whether a pattern ends here. */
export function isMatched(patterns: Patterns): boolean {
  return patterns.some((segments) => segments.length === 0);
}

/**
 * The patterns inside list items. `key`: of the item with this key; else of the item at this position, or of any. An
 * item without a key is identified by its content, so a pattern cannot match it as a whole.
 */
export function patternsOfItem(patterns: Patterns, key: string | undefined, position?: number): Patterns {
  if (key !== undefined) return patternsBelow(patterns, key);
  const names = position === undefined ? [] : [String(position)];
  return patternsBelow(patterns, ...names).filter((segments) => segments.length > 0);
}

/** The path to the current place; its text is only created on demand. */
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

/** The item's key in its own spelling; its position if it has none. */
function stepName({ list, item, position }: ItemStep): string {
  return itemName(list, item) ?? String(position);
}

/** The path of the current place, as `schema/shape/paths.ts` writes it. */
export function pathOf({ trail }: Trail): string {
  return trail.map((step) => quoted(typeof step === 'string' ? step : stepName(step))).join('.');
}

/** How directives name the items of one list (platform/patch.list-keys). */
export interface Identity {
  /** `self`: each scalar is its own key; several may be equal. */
  readonly by: 'key' | 'self';
  readonly evidence: ListKey['evidence'];
  /** Undefined if this item cannot be named. */
  readonly ofItem: (item: JsonValue) => string | undefined;
  /** The same for an item of `$patch/...`, which must state its own key. */
  readonly ofPatch: (item: JsonValue) => string | undefined;
  /** The item named by a string of `$drop/...` or `$retain/...`; comparable with `ofItem`. */
  readonly ofText: (text: string) => string;
  /** The text that names this item in `$drop/...` and `$retain/...`. */
  readonly textOf: (item: JsonValue) => string | undefined;
}

/** Undefined if the list items have no key, so that only `$append` can be used. */
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

/** In free-form JSON only the text of the items is known. */
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
    // In the item's own spelling: another platform may not match an item by its last segment, or in another case.
    textOf: (item) => (isObject(item) ? itemKey({ parts, evidence }, item) : undefined),
  };
}
