import { isArray, isObject, type JsonObject, type JsonValue, own } from '../base/json/json.ts';
import type { Pointer } from '../base/json/pointer.ts';
import { present } from '../base/json/present.ts';
import { patternInWords } from '../base/text/patterns.ts';
import { suggest } from '../base/text/suggest.ts';
import type { Problem } from '../schema/record/problem.ts';
import { formatPath, shapeAt } from '../schema/shape/paths.ts';
import type { ObjectShape, Shape } from '../schema/shape/shape.ts';

/** The used part of an ajv error. */
export interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Set if a key is wrong rather than a value; the error of `propertyNames` also reports it. */
  readonly propertyName?: string;
}

interface Found {
  readonly rule: string;
  readonly message: string;
  readonly hint?: string;
  /** A field below the error's place. */
  readonly member?: string;
  /** The field that was probably meant. */
  readonly suggestion?: string;
}

export interface ShapeProblem {
  readonly problem: Problem;
  /** The place of the field that was probably meant; its absence is the same mistake. */
  readonly explains?: Problem['pointer'];
}

/** The source of a record. */
export interface ValueSource {
  /** The source text of an unquoted value; undefined if unknown. */
  written(pointer: Problem['pointer']): string | undefined;
  /** Whether messages must not show the value. */
  isHidden(pointer: Problem['pointer']): boolean;
}

/** A record without source text: from a request or from code. */
export const unknownSource: ValueSource = { written: () => undefined, isHidden: () => false };

/** A validator's error in plain words; undefined for errors that only refer to another one. */
export function shapeProblem(
  error: SchemaError,
  shape: ObjectShape,
  record: JsonObject,
  source: ValueSource,
): ShapeProblem | undefined {
  if (error.propertyName !== undefined) return undefined;
  const place = readPointer(error.instancePath, record);
  const at = shapeAt(shape, place.pointer);
  const isHidden = at?.facts.sensitive === true || source.isHidden(place.pointer);
  const found = describe(error, at, { ...place, written: source.written(place.pointer), isHidden });
  if (found === undefined) return undefined;

  const { member, suggestion, ...rest } = found;
  const pointer = member === undefined ? place.pointer : [...place.pointer, member];
  const problem = { ...rest, path: formatPath(shape, record, pointer), pointer, severity: 'error' } as const;
  return suggestion === undefined ? { problem } : { problem, explains: [...place.pointer, suggestion] };
}

/** A value, and how messages may show it. */
interface ShownValue {
  readonly value: JsonValue;
  /** The source text; undefined if unknown. */
  readonly written: string | undefined;
  readonly isHidden: boolean;
}

function describe(
  { keyword, params }: SchemaError,
  shape: Shape | undefined,
  shownValue: ShownValue,
): Found | undefined {
  const limit = String(params['limit']);
  switch (keyword) {
    case 'additionalProperties':
      return unknownField(String(params['additionalProperty']), shape);
    case 'required':
      return missingField(String(params['missingProperty']));
    case 'type':
      return wrongType(params['type'], shownValue);
    case 'enum':
      return notOneOf(params['allowedValues'], shownValue, shape?.facts.extensions);
    case 'minimum':
      return { rule: 'shape.range', message: `must be at least ${limit}`, hint: `Use ${limit} or more.` };
    case 'maximum':
      return { rule: 'shape.range', message: `must be at most ${limit}`, hint: `Use ${limit} or less.` };
    case 'minLength':
      return {
        rule: 'shape.length',
        message: limit === '1' ? 'must not be empty' : `needs ${limit} characters or more`,
      };
    case 'maxLength':
      return { rule: 'shape.length', message: `must have at most ${limit} characters`, hint: 'Make it shorter.' };
    case 'minItems':
      return { rule: 'shape.items', message: `needs at least ${limit} ${limit === '1' ? 'item' : 'items'}` };
    case 'maxItems':
      return { rule: 'shape.items', message: `must have at most ${limit} items`, hint: 'Remove some.' };
    case 'minProperties':
      return { rule: 'shape.items', message: `needs at least ${limit} ${limit === '1' ? 'entry' : 'entries'}` };
    case 'pattern':
      return { rule: 'shape.pattern', message: patternInWords(String(params['pattern'])) };
    case 'propertyNames':
      return {
        rule: 'shape.pattern',
        message: 'this key is not allowed here',
        hint: 'Use letters, digits, ".", "_" and "-".',
        member: String(params['propertyName']),
      };
    default:
      return undefined; // `if`: its `then` has reported the place already
  }
}

function unknownField(name: string, shape: Shape | undefined): Found {
  const fields = shape?.type === 'object' ? [...shape.fields] : [];
  const names = fields.filter(([, { facts }]) => facts.responseOnly !== true).map(([field]) => field);
  const suggestion = suggest(name, names);
  const known = names.length === 0 ? 'Remove it.' : `Known fields: ${names.toSorted().join(', ')}.`;
  return {
    rule: 'shape.unknown-field',
    message: `${JSON.stringify(name)} is not allowed here`,
    hint: suggestion === undefined ? known : `Did you mean ${JSON.stringify(suggestion)}?`,
    member: name,
    ...present({ suggestion }),
  };
}

function missingField(name: string): Found {
  return { rule: 'shape.required', message: `${JSON.stringify(name)} is missing`, hint: `Add ${name}.`, member: name };
}

function wrongType(expected: unknown, shownValue: ShownValue): Found {
  const { value } = shownValue;
  const types = (Array.isArray(expected) ? expected : [expected]).map(String);
  const isFraction = typeof value === 'number' && types.includes('integer');
  const actual =
    isFraction && !shownValue.isHidden ? (shownValue.written ?? String(value)) : typeInWords(typeOf(value));
  const message = `must be ${types.map((type) => typeInWords(type)).join(' or ')}, not ${actual}`;
  const hint = types.includes('string') ? hintWithQuotes(shownValue) : hintWithoutQuotes(types, shownValue);
  return { rule: 'shape.type', message, ...present({ hint }) };
}

/** Only with the source text: `1.10` differs from `1.1` as text, and `0755` from `755`. */
function hintWithQuotes({ value, written, isHidden }: ShownValue): string | undefined {
  if (written === '') return 'Write a text, or leave the field out.';
  if (typeof value === 'boolean' || typeof value === 'number' || (value === null && written !== undefined)) {
    return `Put it in quotes${isHidden || written === undefined ? '' : `: "${written}"`}.`;
  }
  return undefined;
}

const numeral = /^-?[0-9]+(?:\.[0-9]+)?$/;

/** For text with the right value in the wrong type. YAML 1.2 reads `yes`, `on` and the like as text. */
function hintWithoutQuotes(types: readonly string[], { value, isHidden }: ShownValue): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (types.includes('boolean')) {
    if (/^(?:true|yes|on)$/i.test(value)) return 'Write true, without quotes.';
    return /^(?:false|no|off)$/i.test(value) ? 'Write false, without quotes.' : undefined;
  }
  const isNumber = types.includes('number') || types.includes('integer');
  if (!isNumber || !numeral.test(value)) return undefined;
  return `Write it without quotes${isHidden ? '' : `: ${value}`}.`;
}

const typeNames: ReadonlyMap<string, string> = new Map([
  ['string', 'text'],
  ['number', 'a number'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['null', 'null'],
]);

function typeInWords(type: string): string {
  return typeNames.get(type) ?? type;
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  return isArray(value) ? 'array' : typeof value;
}

function notOneOf(
  allowed: unknown,
  { value, written, isHidden }: ShownValue,
  extensions: readonly string[] = [],
): Found {
  const values = Array.isArray(allowed) ? allowed.map(String) : [];
  const suggestion = typeof value === 'string' && !isHidden ? suggest(value, values) : undefined;
  const isShown = !isHidden && typeof value !== 'object';
  const what = isShown ? `, not ${typeof value === 'string' ? JSON.stringify(value) : (written ?? String(value))}` : '';
  return {
    rule: 'shape.enum',
    message: `must be ${values.length === 1 ? '' : 'one of '}${values.map((each) => (extensions.includes(each) ? `${each} (an extension)` : each)).join(', ')}${what}`,
    ...present({ hint: suggestion === undefined ? undefined : `Did you mean ${JSON.stringify(suggestion)}?` }),
  };
}

/** Converts an RFC 6901 pointer to keys and indexes, with the value there. */
function readPointer(text: string, record: JsonObject): { readonly pointer: Pointer; readonly value: JsonValue } {
  const pointer: (string | number)[] = [];
  let value: JsonValue = record;
  for (const escaped of text.split('/').slice(1)) {
    const part = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    if (isArray(value)) {
      pointer.push(Number(part));
      value = value[Number(part)] ?? null;
    } else {
      pointer.push(part);
      value = isObject(value) ? (own(value, part) ?? null) : null;
    }
  }
  return { pointer, value };
}
