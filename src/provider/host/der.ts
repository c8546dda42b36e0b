/** The few parts of DER, the binary form of certificates, that one certificate needs (X.690). */

const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

function tagged(tag: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([tag]), lengthOf(content), content]);
}

function lengthOf({ length }: Uint8Array): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = length < 0x100 ? [length] : [length >> 8, length & 0xff];
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

export function sequence(...parts: readonly Uint8Array[]): Buffer {
  return tagged(tags.sequence, Buffer.concat(parts));
}

export function set(...parts: readonly Uint8Array[]): Buffer {
  return tagged(tags.set, Buffer.concat(parts));
}

/** `[number]`, around or in place of what it marks. */
export function context(number: number, content: Uint8Array, form: 'around' | 'in place'): Buffer {
  return tagged((form === 'around' ? 0xa0 : 0x80) | number, content);
}

/** Not negative, in as few bytes as there may be. */
export function integer(magnitude: Uint8Array): Buffer {
  const first = magnitude.findIndex((byte) => byte !== 0);
  const digits = first === -1 ? Buffer.from([0]) : magnitude.subarray(first);
  const sign = (digits[0] ?? 0) >= 0x80 ? [0] : [];
  return tagged(tags.integer, Buffer.concat([Buffer.from(sign), digits]));
}

export const yes: Buffer = tagged(tags.boolean, Buffer.from([0xff]));

export function octets(content: Uint8Array): Buffer {
  return tagged(tags.octetString, content);
}

/** `unused`: bits at the end that do not count. */
export function bits(content: Uint8Array, unused = 0): Buffer {
  return tagged(tags.bitString, Buffer.concat([Buffer.from([unused]), content]));
}

export function text(content: string): Buffer {
  return tagged(tags.utf8String, Buffer.from(content, 'utf8'));
}

/** `1.2.840.10045.4.3.2`. */
export function identifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(tags.objectIdentifier, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(number: number): readonly number[] {
  const bytes = [number & 0x7f];
  for (let left = number >> 7; left > 0; left >>= 7) bytes.unshift((left & 0x7f) | 0x80);
  return bytes;
}

/** With two digits for the year until 2049, as RFC 5280 wants it. */
export function time(date: Date): Buffer {
  const digits = `${date.toISOString().replace(/[-:T]|\.\d+Z/g, '')}Z`;
  return date.getUTCFullYear() < 2050
    ? tagged(tags.utcTime, Buffer.from(digits.slice(2), 'latin1'))
    : tagged(tags.generalizedTime, Buffer.from(digits, 'latin1'));
}
