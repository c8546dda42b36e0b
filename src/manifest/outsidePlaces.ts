import { isArray, isObject, type JsonObject, type JsonValue, listAt, objectAt, own } from '../base/json/json.ts';
import type { Pointer } from '../base/json/pointer.ts';
import { type PlacedValue, valueThere, withValues } from '../base/json/valuesAt.ts';
import { hiddenField } from '../kinds/kindFacts.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import { isDeclarable } from '../schema/record/kinds.ts';
import { formatPath, matchPath, shapeAt } from '../schema/shape/paths.ts';
import type { Shape } from '../schema/shape/shape.ts';
import { flatten } from './flatten.ts';
import type { LocatedProblem } from './model/locatedProblem.ts';
import type { Locate, ManifestDocument, Position, Written } from './model/manifest.ts';

/** A value to read from elsewhere: an environment variable, a file, a command. */
export interface OutsidePlace {
  /** The index of the document. */
  readonly document: number;
  readonly at: Pointer;
  readonly path: string;
  readonly position: Position;
  /** Absent if the source is malformed, which is reported. */
  readonly source?: OutsideSource;
}

export interface OutsidePlaces {
  /** One for each resource. */
  readonly documents: readonly ManifestDocument[];
  readonly places: readonly OutsidePlace[];
  readonly problems: readonly LocatedProblem[];
}

/**
 * All places of the documents that name a source for their value, where that is allowed: in the data of a secret, and
 * at the paths of `lifecycle.sensitive`. Elsewhere such an object is ordinary data, or a mistake that the check finds.
 */
export function outsidePlaces(manifests: readonly ManifestDocument[]): OutsidePlaces {
  const documents = flatten(manifests);
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

/** Placeholder for a value that could not be read, or is not needed now: a text that no rule checks. */
const awaited = 'value-from-outside';

/** Inserts the values that were read, and `awaited` for the others. */
export function withOutsideValues(
  documents: readonly ManifestDocument[],
  places: readonly OutsidePlace[],
  valueAt: (place: OutsidePlace) => string | undefined,
): readonly ManifestDocument[] {
  const byDocument = Map.groupBy(places, ({ document }) => document);
  return documents.map((document, index) => {
    const placesOfDocument = byDocument.get(index);
    if (placesOfDocument === undefined || !isObject(document.value)) return document;
    const read: PlacedValue[] = [];
    const unread: PlacedValue[] = [];
    for (const place of placesOfDocument) {
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
    if (mayBeText(shapeAt(shape, pointer))) found.push(pointer);
  }
  const distinct = new Map(found.map((at) => [JSON.stringify(at), at]));
  return [...distinct.values()].flatMap((at) => {
    const object = valueThere(value, at);
    return namesSource(object) ? [{ at, object, path: formatPath(shape, value, at) }] : [];
  });
}

/** A field unknown to the schema may be text too. */
function mayBeText(shape: Shape | undefined): boolean {
  return shape === undefined || shape.type === 'free' || shape.type === 'scalar';
}

/** Collects places where the schema expects a single value. */
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

export function outsideProblem(
  { at, path, position }: OutsidePlace,
  rule: string,
  message: string,
  hint: string,
): LocatedProblem {
  return { rule, path, pointer: at, message, hint, severity: 'error', position };
}

/** The origin of a value that is not written in the manifest. */
export type OutsideSource = (
  | { readonly from: 'env'; readonly name: string }
  /** As written, relative to the folder of the manifest. */
  | { readonly from: 'file'; readonly path: string }
  | { readonly from: 'command'; readonly command: readonly string[] }
) & {
  /** Whether the value is the base64 form of the bytes; otherwise they are read as text. */
  readonly base64: boolean;
};

const sources: readonly string[] = ['fromEnv', 'fromFile', 'fromCommand'];

/** Whether an object names a source: `{fromEnv: NAME}`, `{fromFile: PATH}`, `{fromCommand: [...]}`. */
export function namesSource(value: JsonValue | undefined): value is JsonObject {
  return isObject(value) && Object.keys(value).some((key) => sources.includes(key));
}

/** The named source, or its problem. */
export function parseSource(value: JsonObject): OutsideSource | { readonly problem: string } {
  const { base64 = false } = value;
  const [source, ...others] = Object.keys(value).filter((key) => key !== 'base64');
  if (others.length > 0 || source === undefined) {
    return { problem: 'beside fromEnv, fromFile or fromCommand only base64 is allowed' };
  }
  if (typeof base64 !== 'boolean') return { problem: 'base64 must be true or false' };
  const argument = own(value, source);
  switch (source) {
    case 'fromEnv':
      return typeof argument === 'string'
        ? fromEnv(argument, base64)
        : { problem: 'fromEnv must be the name of a variable' };
    case 'fromFile': {
      const isPath = typeof argument === 'string' && argument !== '' && !argument.includes('\0');
      return isPath ? { from: 'file', path: argument, base64 } : { problem: 'fromFile must be the path of a file' };
    }
    default: {
      const command = isArray(argument)
        ? argument.filter((part) => typeof part === 'string' && !part.includes('\0'))
        : [];
      const isCommand = isArray(argument) && command.length === argument.length && (command[0] ?? '') !== '';
      return isCommand
        ? { from: 'command', command: command.map(String), base64 }
        : { problem: 'fromCommand must be a list of a program and its arguments' };
    }
  }
}

function fromEnv(name: string, base64: boolean): OutsideSource | { readonly problem: string } {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return { problem: 'fromEnv must be the name of a variable' };
  // They contain Gantry's own token and key.
  if (/^GANTRY_/i.test(name)) return { problem: 'variables that begin with GANTRY_ are not handed to manifests' };
  return { from: 'env', name, base64 };
}

/** The values that manifests take from an environment, with their source. */
export interface Values {
  readonly values: JsonObject;
  /** As written in the file, so that `1.10` keeps its form. Pointers begin at the values. */
  readonly written: Written;
  /** Undefined if the file is unknown. */
  readonly locate: Locate | undefined;
}

/** The values of one environment. */
export interface NamedValues extends Values {
  readonly environment: string;
}

/** A position, with the paths of the values that the value there was made of; empty if it was written there. */
export interface ValuePosition extends Position {
  readonly values: readonly (readonly string[])[];
}
