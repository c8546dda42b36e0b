import { Decoder, Encoder, ExtData, type ExtensionCodecType } from '@msgpack/msgpack';
import {
  type Attribute,
  type Attributes,
  type AttributeType,
  isBlock,
  type NestedAttribute,
} from '../../hcl/attribute.ts';
import { isListValue, isObjectValue, type ObjectValue, unknown, type Value } from '../../hcl/value.ts';
import type { Message } from './messages.ts';

/** Handles every extension: plain unknown values have type 0, partially known ones type 12. */
const extensions: ExtensionCodecType<undefined> = {
  tryToEncode: (value) => (value === unknown ? new ExtData(0, new Uint8Array(1)) : null),
  decode: () => unknown,
};

/** The maximum nesting, more than our schemas need. */
const options = { extensionCodec: extensions, useBigInt64: true, maxDepth: 200 } as const;
const [encoder, decoder] = [new Encoder(options), new Decoder(options)];

function toMsgpack(value: unknown): Uint8Array {
  return encoder.encode(value);
}

function fromMsgpack(bytes: Uint8Array): unknown {
  return decoder.decode(bytes);
}

/** An object of a request; undefined if absent: the prior state of a creation, the plan of a deletion. */
export function readObject(
  value: Message<'DynamicValue'> | undefined,
  attributes: Attributes,
): ObjectValue | undefined {
  if (value?.msgpack !== undefined && value.msgpack.length > 0) {
    return new Reader(inMsgpack).object(fromMsgpack(value.msgpack), attributes);
  }
  return value?.json === undefined ? undefined : readJson(value.json, attributes);
}

/** An object of a state file. Attributes that the schema no longer has are omitted, new ones are null. */
export function readJson(json: Uint8Array, attributes: Attributes): ObjectValue | undefined {
  if (json.length === 0) return undefined;
  return new Reader(inJson).object(JSON.parse(Buffer.from(json).toString('utf8')), attributes);
}

/** An object of an answer, which must contain every attribute of the schema. */
export function writeObject(object: ObjectValue | undefined, attributes: Attributes): Message<'DynamicValue'> {
  return { msgpack: toMsgpack(object === undefined ? null : writtenObject(object, attributes)) };
}

/** A single value: an argument of a function. */
export function readValue(value: Message<'DynamicValue'>, type: AttributeType): Value {
  return new Reader(inMsgpack).typed(fromMsgpack(value.msgpack ?? new Uint8Array([0xc0])), type);
}

/** The result of a function. */
export function writeValue(value: Value): Message<'DynamicValue'> {
  return { msgpack: toMsgpack(writtenPlain(value)) };
}

/** Type and value of a value whose type is not in the schema; the two encodings differ only here. */
type ReadDynamic = (value: unknown) => { readonly type: unknown; readonly value: unknown };

const inMsgpack: ReadDynamic = (dynamic) => {
  const [type, value]: readonly unknown[] = Array.isArray(dynamic) ? dynamic : [];
  return { type: type instanceof Uint8Array ? JSON.parse(Buffer.from(type).toString('utf8')) : undefined, value };
};

const inJson: ReadDynamic = (dynamic) =>
  isRecord(dynamic) ? { type: dynamic['type'], value: dynamic['value'] } : { type: undefined, value: undefined };

class Reader {
  readonly #dynamic: ReadDynamic;

  constructor(dynamic: ReadDynamic) {
    this.#dynamic = dynamic;
  }

  object(value: unknown, attributes: Attributes): ObjectValue | undefined {
    if (!isRecord(value)) return undefined;
    return Object.fromEntries(
      Object.entries(attributes).map(([name, attribute]) => [name, this.#attribute(member(value, name), attribute)]),
    );
  }

  #attribute(value: unknown, attribute: Attribute): Value {
    if (value === unknown) return unknown;
    if (isBlock(attribute) && attribute.nesting !== 'single' && isEmpty(value)) return null;
    return 'type' in attribute ? this.typed(value, attribute.type) : this.#nested(value, attribute);
  }

  #nested(value: unknown, { attributes, nesting }: NestedAttribute): Value {
    const item = (each: unknown): Value => (each === unknown ? unknown : (this.object(each, attributes) ?? null));
    if (nesting === 'single') return item(value);
    if (Array.isArray(value)) return value.map(item);
    return isRecord(value) ? mapped(value, item) : null;
  }

  /** `type` as Terraform writes it: `"number"`, `["map", "string"]`, `["object", {…}]`, `["tuple", […]]`. */
  typed(value: unknown, type: unknown): Value {
    if (value === null || value === undefined) return null;
    if (value === unknown) return unknown;
    if (type === 'dynamic') {
      const dynamic = this.#dynamic(value);
      return this.typed(dynamic.value, dynamic.type);
    }
    if (type === 'number') return readNumber(value);
    const [form, inner]: readonly unknown[] = Array.isArray(type) ? type : [];
    if (Array.isArray(value)) {
      const isTuple = form === 'tuple' && Array.isArray(inner);
      return value.map((item: unknown, index) => this.typed(item, isTuple ? inner[index] : inner));
    }
    if (isRecord(value)) {
      const isObject = form === 'object' && isRecord(inner);
      return mapped(value, (item, key) => this.typed(item, isObject ? member(inner, key) : inner));
    }
    return typeof value === 'string' || typeof value === 'boolean' ? value : null;
  }
}

/** The values that the encoder accepts. */
type Encodable =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | typeof unknown
  | readonly Encodable[]
  | EncodableObject;
interface EncodableObject {
  readonly [name: string]: Encodable;
}

function writtenObject(object: ObjectValue, attributes: Attributes): EncodableObject {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => [name, writtenAttribute(object[name] ?? null, attribute)]),
  );
}

/** An empty list or map of blocks, for which Terraform has no null. */
function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function writtenAttribute(value: Value, attribute: Attribute): Encodable {
  if (value === null && isBlock(attribute) && attribute.nesting !== 'single') {
    return attribute.nesting === 'map' ? {} : [];
  }
  if (value === null || value === unknown) return value;
  if ('type' in attribute) return attribute.type === 'dynamic' ? writtenDynamic(value) : writtenPlain(value);
  const { attributes, nesting } = attribute;
  const item = (each: Value): Encodable => (isObjectValue(each) ? writtenObject(each, attributes) : writtenPlain(each));
  if (nesting === 'single') return item(value);
  if (isListValue(value)) return value.map(item);
  return isObjectValue(value) ? mapped(value, item) : writtenPlain(value);
}

function writtenPlain(value: Value): Encodable {
  if (typeof value === 'number') return writtenNumber(value);
  if (isListValue(value)) return value.map(writtenPlain);
  return isObjectValue(value) ? mapped(value, writtenPlain) : value;
}

function writtenDynamic(value: Value): Encodable {
  return [Buffer.from(JSON.stringify(typeOf(value))), writtenPlain(value)];
}

/** The type that Terraform would infer from a value. */
function typeOf(value: Value): unknown {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  if (isListValue(value)) return ['tuple', value.map(typeOf)];
  return isObjectValue(value) ? ['object', mapped(value, typeOf)] : 'dynamic';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}

function member(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function mapped<From, To>(
  object: Readonly<Record<string, From>>,
  to: (value: From, key: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, to(value, key)]));
}

/**
 * A number of a message. Terraform counts in decimals of 512 bits: a number that is neither a 64-bit integer nor an
 * exact binary fraction is sent as a text, even `0.1`. An unsafe number stays a `bigint` or a text, so that it can be
 * refused and is never rounded.
 */
function readNumber(value: unknown): Value {
  if (typeof value === 'bigint') return isSafe(value) ? Number(value) : value;
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return null;
  if (/^-?\d+$/.test(value)) return readNumber(BigInt(value));
  const number = Number(value);
  return Number.isFinite(number) && digitsOf(String(number)) === digitsOf(value) ? number : value;
}

/**
 * As text, because Terraform would distinguish the bits of `0.1` from the `0.1` of a configuration, and an integer of
 * 64 bits from the same one in its state: `plan -refresh-only -detailed-exitcode` would then return 2.
 */
function writtenNumber(value: number): number | string {
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value : String(value);
}

function isSafe(value: bigint): boolean {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER);
}

/** The significant digits, and the power of ten of the last one: equal for `1.50`, `1.5` and `15e-1`. */
function digitsOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  return significant === '' ? '0' : `${sign === '-' ? '-' : ''}${significant}e${power}`;
}
