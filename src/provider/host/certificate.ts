import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A key, and a certificate for `localhost`. Both are valid only for this process. */
export interface ServerCertificate {
  readonly key: string;
  readonly certificate: string;
  readonly der: Buffer;
}

const oids = {
  commonName: '2.5.4.3',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  subjectKeyIdentifier: '2.5.29.14',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
} as const;

const hour = 3_600_000;
/** Clocks may change; and no provider runs longer. */
const validity = { before: hour, after: 365 * 24 * hour } as const;

/**
 * A new certificate for a process, signed by its own key (P-256). Terraform gets it in the handshake, trusts only it,
 * and checks the name and the usage. It takes 1 to 2 ms; `@peculiar/x509` would add 357 kB and 21 packages to each of
 * the three processes of a plan.
 */
export function makeCertificate(now: Date): ServerCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicInfo = publicKey.export({ type: 'spki', format: 'der' });
  const algorithm = sequence(identifier(oids.ecdsaWithSha256));
  const name = sequence(set(sequence(identifier(oids.commonName), text('localhost'))));
  const body = sequence(
    context(0, integer(Buffer.from([2])), 'around'), // version 3
    integer(randomBytes(16)),
    algorithm,
    name,
    sequence(time(new Date(now.getTime() - validity.before)), time(new Date(now.getTime() + validity.after))),
    name,
    publicInfo,
    context(3, sequence(...extensions(publicInfo)), 'around'),
  );
  const der = sequence(body, algorithm, bits(sign('sha256', body, privateKey)));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: toPem(der),
    der,
  };
}

function extensions(publicInfo: Uint8Array): readonly Buffer[] {
  const localhost = context(2, Buffer.from('localhost', 'latin1'), 'in place');
  return [
    // The root of its own chain, so it is also an authority, for signatures, key agreement and certificates.
    extension(oids.basicConstraints, sequence(yes), 'critical'),
    extension(oids.keyUsage, bits(Buffer.from([0b1000_1100]), 2), 'critical'),
    extension(oids.extendedKeyUsage, sequence(identifier(oids.serverAuth), identifier(oids.clientAuth))),
    extension(oids.subjectKeyIdentifier, octets(createHash('sha1').update(publicInfo).digest())),
    extension(oids.subjectAltName, sequence(localhost)),
  ];
}

function extension(oid: string, value: Uint8Array, critical?: 'critical'): Buffer {
  return sequence(identifier(oid), ...(critical === undefined ? [] : [yes]), octets(value));
}

/** Lines of 64 characters without an empty last one (in one certificate of 400), which OpenSSL would refuse. */
function toPem(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

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

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return tagged(tags.sequence, Buffer.concat(parts));
}

function set(...parts: readonly Uint8Array[]): Buffer {
  return tagged(tags.set, Buffer.concat(parts));
}

/** `[number]`, which wraps or replaces the tag of its content. */
function context(number: number, content: Uint8Array, form: 'around' | 'in place'): Buffer {
  return tagged((form === 'around' ? 0xa0 : 0x80) | number, content);
}

/** Encodes a non-negative number in the fewest bytes. */
function integer(magnitude: Uint8Array): Buffer {
  const first = magnitude.findIndex((byte) => byte !== 0);
  const digits = first === -1 ? Buffer.from([0]) : magnitude.subarray(first);
  const sign = (digits[0] ?? 0) >= 0x80 ? [0] : [];
  return tagged(tags.integer, Buffer.concat([Buffer.from(sign), digits]));
}

const yes: Buffer = tagged(tags.boolean, Buffer.from([0xff]));

function octets(content: Uint8Array): Buffer {
  return tagged(tags.octetString, content);
}

/** `unused`: number of unused bits at the end. */
function bits(content: Uint8Array, unused = 0): Buffer {
  return tagged(tags.bitString, Buffer.concat([Buffer.from([unused]), content]));
}

function text(content: string): Buffer {
  return tagged(tags.utf8String, Buffer.from(content, 'utf8'));
}

/** Such as `1.2.840.10045.4.3.2`. */
function identifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(tags.objectIdentifier, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(number: number): readonly number[] {
  const bytes = [number & 0x7f];
  for (let left = number >> 7; left > 0; left >>= 7) bytes.unshift((left & 0x7f) | 0x80);
  return bytes;
}

/** With a two-digit year until 2049, as RFC 5280 requires. */
export function time(date: Date): Buffer {
  const digits = `${date.toISOString().replace(/[-:T]|\.\d+Z/g, '')}Z`;
  return date.getUTCFullYear() < 2050
    ? tagged(tags.utcTime, Buffer.from(digits.slice(2), 'latin1'))
    : tagged(tags.generalizedTime, Buffer.from(digits, 'latin1'));
}
