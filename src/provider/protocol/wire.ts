import { decodeMessage, encodeMessage } from './binary.ts';
import { type Layout, layoutOf } from './layout.ts';
import { type Message, type MessageName, messages } from './messages.ts';

/** Writes and reads one message. */
export interface Codec<Name extends MessageName> {
  readonly encode: (message: Message<Name>) => Uint8Array;
  /** Throws for bytes that are not such a message. What it reads may share their memory. */
  readonly decode: (bytes: Uint8Array) => Message<Name>;
}

export function codecOf<Name extends MessageName>(name: Name): Codec<Name> {
  const layout: Layout = layoutOf(name);
  return {
    encode: (message) => encodeMessage(message, layout),
    decode(bytes) {
      const message = decodeMessage(bytes, layout);
      if (isMessage(name, message)) return message;
      throw new TypeError(`not a ${name}`);
    },
  };
}

/** It has been read by the table, so it has the table's fields and types. */
function isMessage<Name extends MessageName>(name: Name, message: object): message is Message<Name> {
  return name in messages && !Array.isArray(message);
}
