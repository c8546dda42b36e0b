import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import {
  certificateStatusAt,
  type DomainProcess,
  friendlyWorld,
  needsCertificate,
  needsDns,
  processKey,
  stageAt,
} from '../../../src/server/domains/decisions/domainStage.ts';

const process: DomainProcess = {
  sinceMs: 1_000,
  nowMs: 1_000,
  readyAfterMs: 300,
  needsDns: true,
  needsCertificate: true,
  world: friendlyWorld,
};

describe('the stages initializing, pendingDnsConfig, pendingCertificate, ready (platform/domain.status)', () => {
  test.each([
    [999, 'initializing'],
    [1_000, 'initializing'],
    [1_099, 'initializing'],
    [1_100, 'pendingDnsConfig'],
    [1_199, 'pendingDnsConfig'],
    [1_200, 'pendingCertificate'],
    [1_299, 'pendingCertificate'],
    [1_300, 'ready'],
    [9_999, 'ready'],
  ])('at %d ms the domain is %s', (nowMs, stage) => {
    expect(stageAt({ ...process, nowMs })).toBe(stage);
    expect(certificateStatusAt({ ...process, nowMs })).toBe(stage);
  });

  test('a domain is ready immediately if no stage takes time', () => {
    expect(stageAt({ ...process, readyAfterMs: 0 })).toBe('ready');
  });

  test('a domain stays pendingDnsConfig as long as its records do not resolve', () => {
    const world = { dns: 'unresolved', certificate: 'issued' } as const;
    expect(stageAt({ ...process, world, nowMs: 1_099 })).toBe('initializing');
    expect(stageAt({ ...process, world, nowMs: 99_999_999 })).toBe('pendingDnsConfig');
  });

  test('a domain is errored if its certificate is refused, and its certificate status stays pending', () => {
    const world = { dns: 'resolved', certificate: 'refused' } as const;
    expect(stageAt({ ...process, world, nowMs: 1_299 })).toBe('pendingCertificate');
    expect(stageAt({ ...process, world, nowMs: 1_300 })).toBe('errored');
    expect(certificateStatusAt({ ...process, world, nowMs: 1_300 })).toBe('pendingCertificate');
  });

  test('an unneeded stage is skipped, and the total time stays the same', () => {
    const short = { ...process, needsDns: false };
    expect(stageAt({ ...short, nowMs: 1_149 })).toBe('initializing');
    expect(stageAt({ ...short, nowMs: 1_150 })).toBe('pendingCertificate');
    expect(stageAt({ ...short, nowMs: 1_300 })).toBe('ready');
    const plain = { ...process, needsCertificate: false };
    expect(stageAt({ ...plain, nowMs: 1_299 })).toBe('pendingDnsConfig');
    expect(stageAt({ ...plain, nowMs: 1_300 })).toBe('ready');
    expect(certificateStatusAt(plain)).toBe('ignored');
  });
});

const tls = { minProtocolVersion: 'TLSV1_2' };
const own = { ...tls, serverCertificate: { secretLink: '/org/o/secret/s' } };

// biome-ignore format: a row is a case
test.each<[string, readonly JsonObject[], boolean]>([['port 443 with TLS', [{ number: 443, protocol: 'http2', tls }], true],
  ['plain HTTP', [{ number: 80, protocol: 'http' }], false], ['TCP', [{ number: 5432, protocol: 'tcp' }], false],
  ["the user's certificate on each port", [{ number: 443, tls: own }], false],
  ["the user's certificate on one of two ports", [{ number: 443, tls: own }, { number: 8443, tls }], true]])('whether the platform obtains a certificate: %s', (_, ports, expected) => {
  expect(needsCertificate({ spec: { ports } })).toBe(expected);
});

test('the tag scheme/skipDNSCheck skips the check of the DNS records (platform/concepts.tags)', () => {
  expect(needsDns({ tags: {} })).toBe(true);
  expect(needsDns({ tags: { 'scheme/skipDNSCheck': 'true' } })).toBe(false);
  expect(needsDns({ tags: { 'scheme/skipDNSCheck': true } })).toBe(false);
  expect(needsDns({ tags: { 'scheme/skipDNSCheck': 'false' } })).toBe(true);
});

describe('the stages start again if a value changes on which they depend', () => {
  const before: JsonObject = {
    description: 'a',
    spec: { dnsMode: 'cname', ports: [{ number: 443, protocol: 'http2', tls, routes: [] }] },
  };
  const withPorts = (...ports: readonly JsonObject[]): JsonObject => ({ spec: { dnsMode: 'cname', ports } });

  test.each<[string, JsonObject, boolean]>([
    [
      'not for a description and a route',
      { ...withPorts({ number: 443, protocol: 'http2', tls, routes: [{ prefix: '/' }] }) },
      true,
    ],
    ['for the DNS mode', { spec: { dnsMode: 'ns', ports: [{ number: 443, protocol: 'http2', tls }] } }, false],
    ['for another port', withPorts({ number: 443, protocol: 'http2', tls }, { number: 80, protocol: 'http' }), false],
    ["for the user's certificate", withPorts({ number: 443, protocol: 'http2', tls: own }), false],
  ])('%s', (_, after, same) => {
    expect(processKey(after) === processKey(before)).toBe(same);
  });
});
