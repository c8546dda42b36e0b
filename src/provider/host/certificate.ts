import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { bits, context, identifier, integer, octets, sequence, set, text, time, yes } from './der.ts';

/** A key, and the certificate that says it is `localhost`. Both live as long as this process. */
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
/** Clocks step; and nobody leaves a provider running for longer. */
const validity = { before: hour, after: 365 * 24 * hour } as const;

/**
 * A new certificate for a process, signed by its own key (P-256). It is made here in 1 to 2 ms, and needs no library:
 * Terraform gets it by the handshake, trusts only it, and checks the name and the usage.
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
    // It is the root of its own chain, so it is an authority as well; signatures, agreement, certificates.
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

/** Lines of 64 characters, and no empty one: OpenSSL refuses a PEM with an empty line, one certificate in 400. */
function toPem(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
