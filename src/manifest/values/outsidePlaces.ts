import { isArray, isObject, type JsonObject, type JsonValue, listAt, objectAt, own } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { type PlacedValue, valueThere, withValues } from '../../base/json/valuesAt.ts';
import { hiddenField } from '../../kinds/kindFacts.ts';
import { shapeOf } from '../../kinds/shape/shapeOf.ts';
import { isDeclarable } from '../../schema/record/kinds.ts';
import { formatPath, matchPath, shapeAt } from '../../schema/shape/paths.ts';
import type { Shape } from '../../schema/shape/shape.ts';
import type { ManifestDocument } from '../model/document.ts';
import type { LocatedProblem } from '../model/locatedProblem.ts';
import type { Position } from '../model/manifest.ts';
import { flatten } from '../read/flatten.ts';
import { namesSource, type OutsideSource, parseSource } from './outsideValue.ts';

/** A value that has to be read from elsewhere: an environment variable, a file, a command. */
export interface OutsidePlace {
  /** Which of the documents. */
  readonly document: number;
  readonly at: Pointer;
  readonly path: string;
  readonly position: Position;
  /** Absent: what names it is wrong, which is reported. */
  readonly source?: OutsideSource;
}

export interface OutsidePlaces {
  /** One for each resource. */
  readonly documents: readonly ManifestDocument[];
  readonly places: readonly OutsidePlace[];
  readonly problems: readonly LocatedProblem[];
}

/**
 * Every place of the documents that names a source for its value, where that is allowed: in the data of a secret, and
 * at the paths of `lifecycle.sensitive`. Elsewhere such an object is ordinary data, or a mistake that the check finds.
 */
export function outsidePlaces(given: readonly ManifestDocument[]): OutsidePlaces {
  const documents = flatten(given);
  const places: OutsidePlace[] = [];
  const problems: LocatedProblem[] = [];
  for (const [document, { value, locate }] of documents.entries()) {
    for (const { at, object, path } of sourcesIn(value)) {
      const position = locate(at, 'value');
      const source = parseSource(object);
      const place = { document, at, path, position };
      if ('problem' in source) problems.push(outsideProblem(place, 'value.source', source.problem, howToName));
      places.push('problem' in source ? place : { ...place, source });
    }
  }
  return { documents, places, problems };
}

/** A value that could not be read, or is not needed now: a text that no rule checks. */
const awaited = 'value-from-outside';

/** The documents with the values that were read, and with `awaited` in place of the others. */
export function withOutsideValues(
  documents: readonly ManifestDocument[],
  places: readonly OutsidePlace[],
  valueAt: (place: OutsidePlace) => string | undefined,
): readonly ManifestDocument[] {
  const byDocument = Map.groupBy(places, ({ document }) => document);
  return documents.map((document, index) => {
    const mine = byDocument.get(index);
    if (mine === undefined || !isObject(document.value)) return document;
    const read: PlacedValue[] = [];
    const unread: PlacedValue[] = [];
    for (const place of mine) {
      const value = valueAt(place);
      if (value === undefined) unread.push({ at: place.at, value: awaited });
      else read.push({ at: place.at, value });
    }
    const outside = { read: read.map(({ at }) => at), awaited: unread.map(({ at }) => at) };
    return { ...document, value: withValues(document.value, [...read, ...unread]), outside };
  });
}

interface FoundSource {
  readonly at: Pointer;
  readonly object: JsonObject;
  readonly path: string;
}

function sourcesIn(value: JsonValue): readonly FoundSource[] {
  if (!isObject(value)) return [];
  const kind = own(value, 'kind');
  if (typeof kind !== 'string' || !isDeclarable(kind)) return [];
  const marks = listAt(objectAt(value, 'lifecycle'), 'sensitive').filter((path) => typeof path === 'string');
  const hidden = hiddenField(kind);
  const shape = shapeOf(kind, value);
  const found: Pointer[] = [];
  const field = hidden === undefined ? undefined : shape.fields.get(hidden);
  if (hidden !== undefined && field !== undefined) collect(field, own(value, hidden) ?? null, [hidden], found);
  for (const pointer of marks.flatMap((path) => matchPath(path, shape, value))) {
    if (takesText(shapeAt(shape, pointer))) found.push(pointer);
  }
  const distinct = new Map(found.map((at) => [JSON.stringify(at), at]));
  return [...distinct.values()].flatMap((at) => {
    const object = valueThere(value, at);
    return namesSource(object) ? [{ at, object, path: formatPath(shape, value, at) }] : [];
  });
}

/** A field that is not in the schema may be text as well. */
function takesText(shape: Shape | undefined): boolean {
  return shape === undefined || shape.type === 'free' || shape.type === 'scalar';
}

/** Places where the schema expects a single value. */
function collect(shape: Shape, value: JsonValue, at: Pointer, found: Pointer[]): void {
  if (shape.type === 'scalar') {
    found.push(at);
  } else if (shape.type === 'list') {
    if (isArray(value)) for (const [index, item] of value.entries()) collect(shape.item, item, [...at, index], found);
  } else if (isObject(value) && shape.type !== 'free') {
    for (const [name, member] of Object.entries(value)) {
      const inside = shape.type === 'map' ? shape.value : shape.fields.get(name);
      if (inside !== undefined) collect(inside, member, [...at, name], found);
    }
  }
}

const howToName = 'Write {fromEnv: NAME}, {fromFile: PATH} or {fromCommand: [PROGRAM, ARGUMENT]}.';

/** A problem of a value from outside. */
export function outsideProblem(
  { at, path, position }: OutsidePlace,
  rule: string,
  message: string,
  hint: string,
): LocatedProblem {
  return { rule, path, pointer: at, message, hint, severity: 'error', position };
}
