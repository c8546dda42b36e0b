import protobuf from 'protobufjs/light.js';
import { once, onceFor } from '../../base/once.ts';
import { type Message, type MessageName, messages } from './messages.ts';

/** Writes and reads one message. */
export interface Codec<Name extends MessageName> {
  readonly encode: (message: Message<Name>) => Buffer;
  /** Throws if the bytes are not such a message. */
  readonly decode: (bytes: Uint8Array) => Message<Name>;
}

/** Protobufjs generates the code for a message at its first use, because a process of Terraform needs only a few. */
export function codecOf<Name extends MessageName>(name: Name): Codec<Name> {
  const type = typeOf(name);
  return {
    encode: (message) => Buffer.from(type.encode(message).finish()),
    decode(bytes) {
      const message = type.toObject(type.decode(bytes)); // without defaults for absent fields
      if (isMessage(name, message)) return message;
      throw new TypeError(`not a ${name}`);
    },
  };
}

const root = once(() => protobuf.Root.fromJSON({ nested: descriptors() }));
const typeOf = onceFor((name: MessageName) => root().lookupType(typeName(name)));

/** Protobufjs has decoded it with the table, so it has the table's fields and types. */
function isMessage<Name extends MessageName>(name: Name, message: object): message is Message<Name> {
  return name in messages && !Array.isArray(message);
}

/** A dot would mean a nested message. */
function typeName(name: string): string {
  return name.replace('.', '');
}

function descriptors(): Record<string, protobuf.IType> {
  return Object.fromEntries(Object.entries(messages).map(([name, fields]) => [typeName(name), descriptorOf(fields)]));
}

function descriptorOf(fields: Readonly<Record<string, string>>): protobuf.IType {
  const declared = Object.entries(fields);
  const isOptional = declared.filter(([, text]) => text.startsWith('optional '));
  return {
    fields: Object.fromEntries(declared.map(([field, text]) => [field, fieldOf(text)])),
    ...(isOptional.length === 0
      ? {}
      : { oneofs: Object.fromEntries(isOptional.map(([field]) => [`_${field}`, { oneof: [field] }])) }),
  };
}

function fieldOf(declared: string): protobuf.IField | protobuf.IMapField {
  const words = declared.split(' ');
  const [type = '', id = ''] = words.slice(-2);
  const field = { type: typeName(type), id: Number(id) };
  switch (words.length === 3 ? words[0] : undefined) {
    case 'map':
      return { ...field, keyType: 'string' };
    case 'repeated':
      return { ...field, rule: 'repeated' };
    case 'optional':
      return { ...field, options: { proto3_optional: true } };
    default:
      return field;
  }
}
