import type { JsonValue } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { itemName, type PathSegment, parsePath, quoted } from '../../schema/shape/paths.ts';
import { type FreeShape, fieldShape, isMerged, type ListShape, type Shape } from '../../schema/shape/shape.ts';

/** Where in a document we are: as keys and indexes, and in the words of messages. */
export interface Place {
  readonly pointer: Pointer;
  /** Dotted, list items by key. */
  readonly path: string;
}

export const root: Place = { pointer: [], path: '' };

/** `label`: what the path says, where that is not the step itself. */
export function inside(place: Place, step: string | number, label: string = String(step)): Place {
  const text = quoted(label);
  return { pointer: [...place.pointer, step], path: place.path === '' ? text : `${place.path}.${text}` };
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

/** What is left at one place of paths (`lifecycle.ignore`, `lifecycle.sensitive`): the segments still to be matched. */
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
