import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { makeCertificate, time } from '../../../src/provider/host/certificate.ts';

/** More with `GANTRY_CERTIFICATES=20000`: a fault in the lines of the PEM appears in one of 400 certificates. */
const rounds = Number(process.env['GANTRY_CERTIFICATES'] ?? 400);

describe('the certificate of a process', () => {
  it('is one of localhost, signed by its own key, for both sides of a connection', () => {
    const now = new Date('2026-11-23T00:00:00Z');
    const { certificate, key, der } = makeCertificate(now);
    const read = new X509Certificate(certificate);
    expect(read.subject).toBe('CN=localhost');
    expect(read.subjectAltName).toBe('DNS:localhost');
    expect(read.ca).toBe(true);
    expect(read.checkHost('localhost')).toBe('localhost');
    expect(read.verify(read.publicKey)).toBe(true);
    expect(read.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(read.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
    expect(new Date(read.validFrom).toISOString()).toBe('2026-11-22T23:00:00.000Z');
    expect(new Date(read.validTo).toISOString()).toBe('2027-11-23T00:00:00.000Z');
    expect(read.raw.equals(der)).toBe(true);
  });

  it('has a year of four digits from 2050 on', () => {
    expect(time(new Date('2049-12-31T23:59:59Z')).toString('latin1')).toBe('\x17\x0d491231235959Z');
    expect(time(new Date('2050-01-01T00:00:00Z')).toString('latin1')).toBe('\x18\x0f20500101000000Z');
  });

  it(`is accepted by OpenSSL, ${rounds} times`, () => {
    const serials = new Set<string>();
    for (let round = 0; round < rounds; round += 1) {
      const { certificate, key } = makeCertificate(new Date());
      createSecureContext({ cert: certificate, key, ca: certificate });
      if (round % 10 === 0) serials.add(new X509Certificate(certificate).serialNumber);
      // Whatever the length of its text.
      expect(certificate).not.toMatch(/\n\n/);
    }
    expect(serials.size).toBe(Math.ceil(rounds / 10));
  });
});
