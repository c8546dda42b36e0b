import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  listAt,
  numberAt,
  objectAt,
  own,
  put,
  stringAt,
} from '../../base/json/json.ts';
import { jsonIn } from '../../base/json/jsonText.ts';
import { opaqueClass } from '../../base/json/opaque.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { nonEmpty, present } from '../../base/json/present.ts';
import { codeOf, type LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { MadeBy, ManifestDocument, PlaceInCode, Position } from '../../manifest/model/manifest.ts';
import type { ParsedText } from '../../manifest/textPosition.ts';
import { customKindFacts, customKinds } from '../../schema/record/customKinds.ts';

/** Small enough that one side reads while the other writes the next line. */
const documentsOfLine = 250;

/** A stack in the constructs of a stack file. */
export interface CodeStack {
  readonly name: string;
  /** Where it was created. */
  readonly position: Position;
}

/** The declarations of a stack file. */
export interface StackOutcome extends ParsedText {
  /** In the order of creation; empty if no stack contains resources. */
  readonly stacks: readonly CodeStack[];
  /** Whether the code read the chosen environment. */
  readonly wantsEnvironment: boolean;
  /** The loaded files, if requested: absolute. */
  readonly files: readonly string[];
}

/**
 * The declarations of a stack as lines of JSON: the custom kinds of its process, some documents per line, the problems,
 * and `{"end": true}`.
 */
export function* linesOf({ documents, problems, stacks, wantsEnvironment, files }: StackOutcome): Generator<string> {
  const kinds = customKinds().map((kind) => [kind, { ...customKindFacts(kind) }]);
  if (kinds.length > 0) yield line({ kinds: Object.fromEntries(kinds) });
  for (let from = 0; from < documents.length; from += documentsOfLine) {
    yield line({ documents: documents.slice(from, from + documentsOfLine).map(entryOf) });
  }
  if (problems.length > 0) yield line({ problems: problems.map(problemToJson) });
  yield line({
    stacks: stacks.map(({ name, position }) => ({ name, position: { ...position } })),
    wantsEnvironment,
    files,
  });
  yield line({ end: true });
}

function problemToJson({
  position,
  rule,
  message,
  hint,
  severity,
  resource,
  construct,
  callers,
}: LocatedProblem): JsonObject {
  return {
    position: { ...position },
    rule,
    message,
    severity,
    ...present({ hint, resource, construct, callers: callers?.map((caller) => ({ ...caller })) }),
  };
}

/** Computes positions here, because they come from constructs, which stay in their process. */
function entryOf({ value, locate, madeBy }: ManifestDocument): JsonValue {
  const position = { ...locate([]) };
  const { value: json, notJson } = toJson(value);
  return {
    value: json,
    position,
    ...nonEmpty({ notJson }),
    ...(madeBy === undefined ? {} : madeByToJson(madeBy)),
  };
}

function madeByToJson({ construct, stack, callers, places, existing = [] }: MadeBy): JsonObject {
  return {
    construct,
    ...present({ stack, callers: callers.length === 0 ? undefined : callers.map((caller) => ({ ...caller })) }),
    ...nonEmpty({ existing }),
    ...present({ places: places?.map(({ pointer, position }) => ({ pointer, position: { ...position } })) }),
  };
}

function line(content: JsonObject): string {
  return `${JSON.stringify(content)}\n`;
}

export interface Listeners {
  /** Receives the documents of each line while the stack still runs. */
  readonly onDocuments?: ((documents: readonly ManifestDocument[]) => void) | undefined;
  /** Receives the custom kinds of the stack, before the first document. */
  readonly onKinds?: ((kinds: JsonObject) => void) | undefined;
}

/** The received lines of a stack. */
export class ReceivedStack {
  readonly documents: ManifestDocument[] = [];
  readonly problems: LocatedProblem[] = [];
  readonly stacks: CodeStack[] = [];
  readonly files: string[] = [];
  wantsEnvironment = false;
  /** Whether the last line has arrived. */
  isComplete = false;
  /** Whether anything other than such lines has arrived. */
  isGarbled = false;

  readonly #onDocuments: Listeners['onDocuments'];
  readonly #onKinds: Listeners['onKinds'];

  constructor({ onDocuments, onKinds }: Listeners = {}) {
    this.#onDocuments = onDocuments;
    this.#onKinds = onKinds;
  }

  receiveLine(text: string): void {
    const content = this.isGarbled ? undefined : parsed(text);
    if (content === undefined) {
      this.isGarbled = true;
      return;
    }
    this.#onKinds?.(objectAt(content, 'kinds'));
    const documents = listAt(content, 'documents').filter(isObject).map(documentOf);
    this.documents.push(...documents);
    this.#onDocuments?.(documents);
    this.problems.push(...problemsOf(listAt(content, 'problems')));
    this.stacks.push(...listAt(content, 'stacks').filter(isObject).map(stackOf));
    this.files.push(...listAt(content, 'files').filter((file) => typeof file === 'string'));
    if (own(content, 'wantsEnvironment') === true) this.wantsEnvironment = true;
    if (own(content, 'end') === true) this.isComplete = true;
  }
}

function parsed(text: string): JsonObject | undefined {
  const content = jsonIn(text);
  return isObject(content) ? content : undefined;
}

function documentOf(entry: JsonObject): ManifestDocument {
  const value = own(entry, 'value') ?? null;
  const position = positionOf(own(entry, 'position'));
  restore(value, listAt(entry, 'notJson').flatMap(notJsonOf));
  const construct = stringAt(entry, 'construct');
  const stack = stringAt(entry, 'stack');
  const document = { value, locate: () => position };
  if (construct === undefined) return document;
  return {
    ...document,
    madeBy: {
      construct,
      ...present({ stack }),
      callers: positionsAt(entry, 'callers'),
      existing: listAt(entry, 'existing').filter((id) => typeof id === 'string'),
      ...(own(entry, 'places') === undefined ? {} : { places: listAt(entry, 'places').filter(isObject).map(placeOf) }),
    },
  };
}

function placeOf(entry: JsonObject): PlaceInCode {
  const pointer = listAt(entry, 'pointer').filter((step) => typeof step === 'string' || typeof step === 'number');
  return { pointer, position: positionOf(own(entry, 'position')) };
}

function stackOf(entry: JsonObject): CodeStack {
  return { name: stringAt(entry, 'name') ?? '', position: positionOf(own(entry, 'position')) };
}

function notJsonOf(entry: JsonValue): readonly NotJson[] {
  const [pointer, what] = isArray(entry) ? entry : [];
  if (!isArray(pointer) || typeof what !== 'string') return [];
  return [[pointer.filter((step) => typeof step === 'string' || typeof step === 'number'), what]];
}

/** Problems of whole documents, parsed from JSON. */
export function problemsOf(list: readonly JsonValue[]): readonly LocatedProblem[] {
  return list.filter(isObject).map(problemOf);
}

function problemOf(entry: JsonObject): LocatedProblem {
  const hint = stringAt(entry, 'hint');
  const resource = stringAt(entry, 'resource');
  return {
    rule: stringAt(entry, 'rule') ?? '',
    path: '',
    pointer: [],
    message: stringAt(entry, 'message') ?? '',
    severity: stringAt(entry, 'severity') === 'warning' ? 'warning' : 'error',
    position: positionOf(own(entry, 'position')),
    ...present({ hint, resource }),
    ...codeOf({ construct: stringAt(entry, 'construct') ?? '', callers: positionsAt(entry, 'callers') }),
  };
}

function positionsAt(entry: JsonObject, key: string): readonly Position[] {
  return listAt(entry, key).map(positionOf);
}

function positionOf(value: JsonValue | undefined): Position {
  const place = isObject(value) ? value : {};
  return {
    file: stringAt(place, 'file') ?? '',
    line: numberAt(place, 'line') ?? 1,
    column: numberAt(place, 'column') ?? 1,
  };
}

/**
 * The position of a value in a document, and its type: `function`, `symbol`, `bigint`, `undefined`, the name of a
 * number, or `object` with the class of an object that is not plain data.
 */
type NotJson = readonly [pointer: Pointer, what: string];

interface AsJson {
  readonly value: JsonValue;
  /** Values that are null in `value`, because JSON cannot represent them. */
  readonly notJson: readonly NotJson[];
}

/** A document converted to JSON. */
function toJson(value: JsonValue): AsJson {
  if (isJson(value)) return { value, notJson: [] };
  const notJson: NotJson[] = [];
  return { value: copied(value, [], notJson), notJson };
}

/** Whether the value is JSON: a fast check for the common case, without positions. */
function isJson(value: unknown): boolean {
  if (typeof value === 'object') {
    if (value === null) return true;
    if (isArray(value)) return value.every(isJson);
    return opaqueClass(value) === undefined && Object.values(value).every(isJson);
  }
  return (
    typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  );
}

function copied(value: unknown, pointer: Pointer, notJson: NotJson[]): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (isArray(value)) return value.map((item, index) => copied(item, [...pointer, index], notJson));
  const opaque = opaqueClass(value);
  if (opaque === undefined && isObject(value)) {
    const copy: Record<string, JsonValue> = {};
    for (const key of Object.keys(value)) put(copy, key, copied(value[key], [...pointer, key], notJson));
    return copy;
  }
  notJson.push([
    pointer,
    opaque !== undefined ? ofClass + opaque : typeof value === 'number' ? String(value) : typeof value,
  ]);
  return null;
}

/** Values of the same type, which validation refuses at the author's position. */
const examples: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['function', () => undefined],
  ['symbol', Symbol('of the stack')],
  ['bigint', 0n],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

const ofClass = 'object ';

function exampleOf(what: string): unknown {
  return what.startsWith(ofClass) ? { [Symbol.toStringTag]: what.slice(ofClass.length) } : examples.get(what);
}

/** Sets a value of the right type at each position. `document` is modified; it was created by `JSON.parse`. */
function restore(document: JsonValue, notJson: readonly NotJson[]): void {
  for (const [pointer, what] of notJson) {
    const key = pointer.at(-1);
    let holder: unknown = document;
    for (const step of pointer.slice(0, -1))
      holder = isObject(holder) || isArray(holder) ? Reflect.get(holder, step) : {};
    if (key === undefined || typeof holder !== 'object' || holder === null) continue;
    const value = exampleOf(what);
    Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
  }
}
