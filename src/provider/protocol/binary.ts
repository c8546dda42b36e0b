import type { Field, Layout } from './layout.ts';
import { WireReader, WireWriter } from './wireFormat.ts';

/** Fields that the message does not have are not written, nor such as have the default of their type. */
export function encodeMessage(message: object, { fields }: Layout): Uint8Array {
  const writer = new WireWriter();
  if (isRecord(message)) for (const field of fields) writeField(writer, field, message[field.name]);
  return writer.bytes;
}

function writeField(writer: WireWriter, field: Field, value: unknown): void {
  if (value === undefined || value === null) return;
  switch (field.form) {
    case 'repeated':
      if (Array.isArray(value)) for (const item of value) writeValue(writer, field, item, true);
      return;
    case 'map':
      for (const [key, item] of Object.entries(value)) writer.blob(field.number, entryOfMap(field, key, item));
      return;
    case 'optional':
      writeValue(writer, field, value, true);
      return;
    case 'plain':
      writeValue(writer, field, value, false);
  }
}

/** `always`: the default too. */
function writeValue(writer: WireWriter, { number, type, name }: Field, value: unknown, always: boolean): void {
  if (type === 'string' && typeof value === 'string') {
    if (always || value !== '') writer.text(number, value);
  } else if (type === 'bytes' && value instanceof Uint8Array) {
    if (always || value.length > 0) writer.blob(number, value);
  } else if (type === 'int32' && typeof value === 'number') {
    if (always || value !== 0) writer.number(number, value);
  } else if (type === 'bool' && typeof value === 'boolean') {
    if (always || value) writer.number(number, value ? 1 : 0);
  } else if (typeof type === 'function' && isRecord(value)) writer.blob(number, encodeMessage(value, type()));
  else throw new TypeError(`${name} has a value of another type`);
}

/** A message with the key as its first field, and the value as its second. */
function entryOfMap({ type, name }: Field, key: string, value: unknown): Uint8Array {
  const writer = new WireWriter();
  writer.text(1, key);
  writeValue(writer, { name, type, number: 2, form: 'plain' }, value, true);
  return writer.bytes;
}

type Decoded = Record<string, unknown>;

/** Fields that it does not know are passed over. Throws for bytes that are no such message. */
export function decodeMessage(bytes: Uint8Array, { byNumber }: Layout): Decoded {
  const reader = new WireReader(bytes);
  const message: Decoded = {};
  while (!reader.isAtEnd) {
    const { number, form, isNumber, isLong } = reader.field();
    const field = byNumber.get(number);
    if (field === undefined) reader.skip(form);
    else if (field.type === 'int32' || field.type === 'bool' ? isNumber : isLong) readField(reader, field, message);
    else throw new TypeError(`${field.name} has a value of another type`);
  }
  return message;
}

function readField(reader: WireReader, field: Field, message: Decoded): void {
  const { name, form } = field;
  const before = message[name];
  if (form === 'repeated') {
    const item = readValue(reader, field);
    if (Array.isArray(before)) before.push(item);
    else message[name] = [item];
  } else if (form === 'map') {
    const { key = '', value = {} } = decodeMessage(reader.blob(), layoutOfEntry(field));
    message[name] = { ...(isRecord(before) ? before : {}), [String(key)]: value };
  } else message[name] = readValue(reader, field);
}

function layoutOfEntry({ type }: Field): Layout {
  const key: Field = { name: 'key', number: 1, type: 'string', form: 'plain' };
  const value: Field = { name: 'value', number: 2, type, form: 'plain' };
  return { fields: [key, value], byNumber: new Map([key, value].map((field) => [field.number, field])) };
}

function readValue(reader: WireReader, { type }: Field): unknown {
  switch (type) {
    case 'string':
      return reader.text();
    case 'bytes':
      return reader.blob();
    case 'int32':
      return reader.number();
    case 'bool':
      return reader.number() !== 0;
    default:
      return decodeMessage(reader.blob(), type());
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}
