import { isArray, isObject, type JsonObject, type JsonValue, mapMembers } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { valueThere } from '../../base/json/valuesAt.ts';
import { onceForObject } from '../../base/once.ts';
import { suggest } from '../../base/text/suggest.ts';
import { available } from '../../base/text/suggestion.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { Answer } from '../../schema/facts/fieldFacts.ts';
import { isDeclarable, isGvcScoped } from '../../schema/record/kinds.ts';
import { formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';
import { anywhere } from '../../schema/shape/anywhere.ts';
import { childShape, namesOfPath, parsePath, pointerTo } from '../../schema/shape/paths.ts';
import type { Shape } from '../../schema/shape/shape.ts';
import type { PlacedText } from '../model/manifest.ts';

/**
 * A reference in a text to a value of a live record: `${live.workload/shop/web:status.endpoint}`. A text that is one
 * reference becomes that value, of any type; within other text it is inserted as text. `$${live.` is literal text.
 */
export interface LiveReference {
  /** The reference as written. */
  readonly text: string;
  readonly ref: Ref;
  readonly id: ResourceId;
  readonly path: string;
}

/** The facts of the referenced field. */
export interface LiveField {
  readonly shouldMask: boolean;
  /** Whether the platform shows it only in the response to the creation. */
  readonly isShownOnce: boolean;
  /** For a field set only by the platform: the fields on which it depends. */
  readonly follows: readonly string[];
  /** Whether only the platform sets it. */
  readonly isAnswer: boolean;
}

export interface LiveFault {
  readonly message: string;
  readonly hint: string;
}

const referencePrefix = '${' + 'live.';
const grammar = /\$?\$\{live\.([^{}]*)(\}?)/g;

/** Makes a reference from code, or returns its fault. */
export function parseLiveReference(
  ref: Omit<Ref, 'kind'> & { readonly kind: string },
  path: string,
): LiveReference | LiveFault {
  const text = `${referencePrefix}${formatRef(ref)}:${path}}`;
  const [part] = partsOf(text);
  return part?.text === text ? (part.reference ?? part.fault ?? noReference) : noReference;
}

/** Whether it contains a reference, or a text that only looks like one. */
export function hasLiveText(value: JsonValue | undefined): boolean {
  return isObject(value) ? recordHasLiveText(value) : searchLiveText(value);
}

/** Cached: several checks search the same record. */
const recordHasLiveText = onceForObject((record: JsonObject) => Object.values(record).some(searchLiveText));

function searchLiveText(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return value.includes(referencePrefix);
  if (isArray(value)) return value.some(searchLiveText);
  return isObject(value) && Object.values(value).some(searchLiveText);
}

/** The distinct references in a value, without faulty ones. */
export function liveReferences(value: JsonValue | undefined): readonly LiveReference[] {
  const found = new Map<string, LiveReference>();
  eachLiveText(value, (text) => {
    for (const part of partsOf(text)) if (part.reference !== undefined) found.set(part.text, part.reference);
  });
  return [...found.values()];
}

/** The faults of the references in a value, with places. */
export function liveFaults(value: JsonValue): readonly (LiveFault & { readonly at: Pointer })[] {
  const faults: (LiveFault & { readonly at: Pointer })[] = [];
  eachLiveText(value, (text, at) => {
    for (const { fault } of partsOf(text)) if (fault !== undefined) faults.push({ ...fault, at });
  });
  return faults;
}

/** The places of the texts with such a reference. */
export function livePlaces(value: JsonValue, which: (reference: LiveReference) => boolean = () => true) {
  const places: Pointer[] = [];
  eachLiveText(value, (text, at) => {
    if (partsOf(text).some(({ reference }) => reference !== undefined && which(reference))) places.push(at);
  });
  return places;
}

/** The same, with the texts. */
export function liveTexts(value: JsonValue, which: (reference: LiveReference) => boolean): readonly PlacedText[] {
  return livePlaces(value, which).flatMap((at) => {
    const text = valueThere(value, at);
    return typeof text === 'string' ? [{ at, text }] : [];
  });
}

/** Splits a text into literal parts, with escapes resolved, and references. */
export function liveParts(text: string): readonly (string | LiveReference)[] {
  const parts: (string | LiveReference)[] = [];
  let literal = '';
  let end = 0;
  for (const { text: written, at, reference, isEscaped } of partsOf(text)) {
    literal += text.slice(end, at);
    end = at + written.length;
    if (reference === undefined) literal += isEscaped ? written.slice(1) : written;
    else {
      if (literal !== '') parts.push(literal);
      parts.push(reference);
      literal = '';
    }
  }
  literal += text.slice(end);
  return literal === '' ? parts : [...parts, literal];
}

/** Whether a text contains this reference escaped, as literal text. */
export function escapesLive(value: JsonValue, reference: string): boolean {
  let found = false;
  eachLiveText(value, (text) => {
    found ||= partsOf(text).some((part) => part.isEscaped && part.text === `$${reference}`);
  });
  return found;
}

/**
 * Replaces references by their values. References that `resolved` does not know stay. `$${live.` is unescaped, except
 * before a reference for which `keeps` returns true: filling the value again would take the unescaped text for that
 * reference.
 */
export function fillLive<Value extends JsonValue>(
  value: Value,
  resolved: (reference: LiveReference) => JsonValue | undefined,
  keeps?: (text: string) => boolean,
): Value;
export function fillLive(
  value: JsonValue,
  resolved: (reference: LiveReference) => JsonValue | undefined,
  keeps: (text: string) => boolean = () => false,
): JsonValue {
  if (typeof value === 'string') return fillText(value, resolved, keeps);
  if (isArray(value)) return value.map((item) => fillLive(item, resolved, keeps));
  return isObject(value) ? mapMembers(value, (member) => fillLive(member, resolved, keeps)) : value;
}

function fillText(
  text: string,
  resolved: (reference: LiveReference) => JsonValue | undefined,
  keeps: (text: string) => boolean,
) {
  const parts = partsOf(text);
  const [first] = parts;
  if (first === undefined) return text;
  if (first.reference !== undefined && first.text === text) return resolved(first.reference) ?? text;
  let filled = '';
  let end = 0;
  for (const { text: written, at, reference, isEscaped } of parts) {
    const value = reference === undefined ? undefined : resolved(reference);
    filled += text.slice(end, at);
    filled +=
      value === undefined ? (isEscaped && !keeps(written.slice(1)) ? written.slice(1) : written) : textOfValue(value);
    end = at + written.length;
  }
  return filled + text.slice(end);
}

function textOfValue(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

interface Part {
  readonly text: string;
  readonly at: number;
  readonly isEscaped: boolean;
  readonly reference?: LiveReference;
  readonly fault?: LiveFault;
}

function partsOf(text: string): readonly Part[] {
  if (!text.includes(referencePrefix)) return [];
  return [...text.matchAll(grammar)].map((match): Part => {
    const [written, name = '', end] = match;
    const place = { text: written, at: match.index, isEscaped: written.startsWith('$$') };
    if (place.isEscaped) return place;
    const read = end === '' ? undefined : parseName(name);
    if (read === undefined) return { ...place, fault: noReference };
    const field = fieldOf(read);
    return 'hint' in field ? { ...place, fault: field } : { ...place, reference: { text: written, ...read } };
  });
}

const noReference: LiveFault = {
  message: `a reference to a live value is ${referencePrefix}RESOURCE:PATH}`,
  hint: `Write it as ${referencePrefix}workload/GVC/NAME:status.endpoint}, or as $${referencePrefix} where the text itself is meant.`,
};

/** Parses `kind/[gvc/]name:path`. */
function parseName(name: string): Omit<LiveReference, 'text'> | undefined {
  const [, resource = '', path = ''] = /^([^:\s"]+):(\S+)$/.exec(name) ?? [];
  const [kind = '', first = '', second, ...rest] = resource.split('/');
  if (first === '' || second === '' || rest.length > 0 || !isDeclarable(kind)) return undefined;
  if (isGvcScoped(kind) !== (second !== undefined)) return undefined;
  if (parsePath(path)?.every(({ any }) => !any) !== true) return undefined;
  const ref: Ref = second === undefined ? { kind, name: first } : { kind, gvc: first, name: second };
  return { ref, id: formatRef(ref), path };
}

/** The schema's facts about the field, or the fault of its path. */
export function fieldOf({ ref, path }: Pick<LiveReference, 'ref' | 'path'>): LiveField | LiveFault {
  const names = namesOfPath(path);
  let shape: Shape | undefined = shapeOf(ref.kind);
  let answer: Answer | undefined;
  let field: LiveField = { shouldMask: false, isShownOnce: false, follows: [], isAnswer: false };
  for (const [index, name] of names.entries()) {
    if (answer !== undefined) {
      if (answer.is === 'list') answer = answer.item;
      else if (answer.is !== 'json') {
        const members: Readonly<Record<string, Answer>> = answer.is === 'object' ? answer.members : {};
        if (!Object.hasOwn(members, name)) return unknownField(names, index, Object.keys(members));
        answer = members[name];
      }
    } else if (shape !== undefined) {
      if (shape.type === 'scalar') return unknownField(names, index, []);
      if (shape.type === 'object' && !shape.fields.has(name))
        return unknownField(names, index, [...shape.fields.keys()]);
      shape = childShape(shape, name);
      answer = shape?.facts.answer;
    }
    const { responseOnly = false } = shape?.facts ?? {};
    field = {
      shouldMask: field.shouldMask || shape?.facts.sensitive === true || answer?.sensitive === true,
      isShownOnce: field.isShownOnce || answer?.isShownOnce === true,
      follows: answer?.follows ?? [],
      isAnswer: field.isAnswer || responseOnly,
    };
  }
  const isInside = shape !== undefined && answer === undefined && holdsSensitiveAnswer(shape);
  return isInside || (answer !== undefined && isSensitiveAnswer(answer)) ? { ...field, shouldMask: true } : field;
}

const holdsSensitiveAnswer = anywhere(
  ({ facts }) => facts.sensitive === true || (facts.answer !== undefined && isSensitiveAnswer(facts.answer)),
);

/** Whether the value, or anything inside it, is sensitive. */
function isSensitiveAnswer(answer: Answer): boolean {
  if (answer.sensitive === true) return true;
  if (answer.is === 'list') return isSensitiveAnswer(answer.item);
  return answer.is === 'object' && Object.values(answer.members).some(isSensitiveAnswer);
}

/** The fault of an unsaved reference to a value that the platform never shows again. */
export function shownOnce({ id, path }: LiveReference): LiveFault & { readonly rule: string } {
  return {
    rule: 'live.once',
    message: `${path} of ${id} is shown once, when it is made, so nothing can read it afterwards`,
    hint: 'Keep it: in the data of a secret, or by an output with saveTo: { file: NAME }.',
  };
}

function unknownField(names: readonly string[], index: number, known: readonly string[]): LiveFault {
  const name = names[index] ?? '';
  const above = names.slice(0, index).join('.');
  const meant = suggest(name, known);
  return {
    message: `${above === '' ? 'a record' : above} has no field ${JSON.stringify(name.slice(0, 80))}`,
    hint: meant === undefined ? available(known) : `Did you mean ${[...names.slice(0, index), meant].join('.')}?`,
  };
}

/** By reference text. */
export type LiveValues = ReadonlyMap<string, JsonValue>;

/** Fills a value again whose earlier filling left unknown references. Other escapes are literal text. */
export function withLiveValues<Value extends JsonValue>(value: Value, values: LiveValues): Value {
  return fillLive(
    value,
    ({ text }) => values.get(text),
    (text) => !values.has(text),
  );
}

/**
 * The value of the single reference in a text that reads as `filled`; undefined if there are no or several references,
 * or no value fits.
 */
export function valueOfReference(text: string, filled: JsonValue): readonly [reference: string, JsonValue] | undefined {
  const [part, ...others] = partsOf(text).filter(({ reference }) => reference !== undefined);
  // With several references, text between them may be part of a value.
  if (part === undefined || others.length > 0) return undefined;
  if (part.text === text) return [text, filled];
  if (typeof filled !== 'string') return undefined;
  const [before, after] = [text.slice(0, part.at), text.slice(part.at + part.text.length)];
  const end = filled.length - after.length;
  if (end < before.length || !filled.startsWith(before) || !filled.endsWith(after)) return undefined;
  return [part.text, filled.slice(before.length, end)];
}

/** The referenced value in a record; undefined if absent. */
export function liveValue(
  record: JsonObject,
  { ref, path }: Pick<LiveReference, 'ref' | 'path'>,
): JsonValue | undefined {
  const pointer = pointerTo(path, shapeOf(ref.kind, record), record);
  return pointer === undefined ? undefined : valueThere(record, pointer);
}

/** Visits texts with references, or with similar text. Most values have none, and are not searched. */
function eachLiveText(value: JsonValue | undefined, visit: (text: string, at: Pointer) => void): void {
  if (hasLiveText(value)) eachText(value, [], visit);
}

function eachText(value: JsonValue | undefined, at: Pointer, visit: (text: string, at: Pointer) => void): void {
  if (typeof value === 'string') visit(value, at);
  else if (isArray(value)) for (const [index, item] of value.entries()) eachText(item, [...at, index], visit);
  else if (isObject(value)) for (const [key, member] of Object.entries(value)) eachText(member, [...at, key], visit);
}
