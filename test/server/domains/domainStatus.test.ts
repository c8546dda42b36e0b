import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { friendlyWorld } from '../../../src/server/domains/decisions/domainStage.ts';
import {
  type DomainFacts,
  dnsRecords,
  domainEndpoints,
  domainStatus,
} from '../../../src/server/domains/decisions/domainStatus.ts';

const web = '/org/acme/gvc/shop/workload/web';
const api = '/org/acme/gvc/shop/workload/api';
const tls = { minProtocolVersion: 'TLSV1_2' };

describe('endpoints (platform/domain)', () => {
  const facts = { name: 'a.example.com', workloadLinks: [web, api], replicas: 2 };
  const of = (spec: JsonObject): readonly JsonObject[] => domainEndpoints({ ...facts, record: { spec } });

  test('each route of each port has an address', () => {
    // biome-ignore format: one case a line
    const ports = [
      { number: 443, protocol: 'http2', tls, routes: [{ prefix: '/api', workloadLink: api }, { prefix: '/', workloadLink: web }] },
      { number: 80, protocol: 'http', routes: [{ prefix: '/', workloadLink: web }] },
      { number: 8443, protocol: 'http2', tls, routes: [{ regex: '/x.*', workloadLink: web }] },
      { number: 5432, protocol: 'tcp', routes: [{ prefix: '/', workloadLink: api }] },
    ];
    expect(of({ ports })).toEqual([
      { url: 'https://a.example.com/api', workloadLink: api },
      { url: 'https://a.example.com', workloadLink: web },
      { url: 'http://a.example.com', workloadLink: web },
      { url: 'https://a.example.com:8443', workloadLink: web },
      { url: 'tcp://a.example.com:5432', workloadLink: api },
    ]);
  });

  test('with gvcLink each workload of the GVC has its own host name', () => {
    expect(of({ gvcLink: '/org/acme/gvc/shop', ports: [{ number: 443, protocol: 'http2', tls }] })).toEqual([
      { url: 'https://web.a.example.com', workloadLink: web },
      { url: 'https://api.a.example.com', workloadLink: api },
    ]);
  });

  test('with workloadLink each replica has its own host name', () => {
    const ports = [{ number: 443, protocol: 'http2', tls, routes: [{ prefix: '/', workloadLink: web }] }];
    expect(of({ workloadLink: web, ports })).toEqual([
      { url: 'https://web-0.a.example.com', workloadLink: web },
      { url: 'https://web-1.a.example.com', workloadLink: web },
    ]);
  });

  test('two routes with the same address and workload are shown once', () => {
    const routes = [
      { regex: '/a', workloadLink: web },
      { regex: '/b', workloadLink: web },
    ];
    expect(of({ ports: [{ number: 443, protocol: 'http2', tls, routes }] })).toHaveLength(1);
  });
});

describe('dnsConfig lists the DNS records to create (platform/domain.status)', () => {
  const of = (name: string, spec: JsonObject, alias?: string): readonly JsonObject[] =>
    dnsRecords({ name, record: { spec }, alias, challenge: 'proof' });

  // biome-ignore format: a row is a case
  test.each<[string, readonly JsonObject[], readonly JsonObject[]]>([
    ['a CNAME of a subdomain to the platform',
      of('a.example.com', { dnsMode: 'cname' }),
      [{ type: 'CNAME', ttl: 600, host: 'a.example.com', value: 'edge.apps.example' }]],
    ['a CNAME of a subdomain to the GVC that it serves',
      of('a.example.com', { dnsMode: 'cname' }, 'x1'),
      [{ type: 'CNAME', ttl: 600, host: 'a.example.com', value: 'x1.apps.example' }]],
    ['addresses of an apex',
      of('example.com', { dnsMode: 'cname' }),
      [
        { type: 'A', ttl: 600, host: 'example.com', value: '198.19.255.1' },
        { type: 'A', ttl: 600, host: 'example.com', value: '198.19.255.2' },
      ]],
    ['name servers of a delegated zone',
      of('a.example.com', { dnsMode: 'ns', gvcLink: '/org/o/gvc/g' }),
      [
        { type: 'NS', ttl: 600, host: 'a.example.com', value: 'ns1.apps.example' },
        { type: 'NS', ttl: 600, host: 'a.example.com', value: 'ns2.apps.example' },
      ]],
    ['a wildcard if the domain accepts all subdomains',
      of('a.example.com', { dnsMode: 'cname', acceptAllSubdomains: true }),
      [
        { type: 'CNAME', ttl: 600, host: 'a.example.com', value: 'edge.apps.example' },
        { type: 'CNAME', ttl: 600, host: '*.a.example.com', value: 'edge.apps.example' },
      ]],
    ['a TXT record for the challenge dns01',
      of('a.example.com', { dnsMode: 'cname', certChallengeType: 'dns01' }),
      [
        { type: 'CNAME', ttl: 600, host: 'a.example.com', value: 'edge.apps.example' },
        { type: 'TXT', ttl: 600, host: '_acme-challenge.a.example.com', value: 'proof' },
      ]],
    ["no TXT record if the zone is the platform's",
      of('a.example.com', { dnsMode: 'ns', certChallengeType: 'dns01' }),
      [
        { type: 'NS', ttl: 600, host: 'a.example.com', value: 'ns1.apps.example' },
        { type: 'NS', ttl: 600, host: 'a.example.com', value: 'ns2.apps.example' },
      ]],
  ])('%s', (_, given, expected) => {
    expect(given).toEqual(expected);
  });
});

describe('status (platform/domain.status)', () => {
  const facts: DomainFacts = {
    name: 'a.example.com',
    record: { spec: { dnsMode: 'cname', ports: [{ number: 443, protocol: 'http2', tls, routes: [] }] } },
    missing: [],
    warnings: [],
    locations: [
      { name: 'aws-us-east-1', sinceMs: 0 },
      { name: 'gcp-us-east1', sinceMs: 1_150 },
    ],
    alias: undefined,
    workloadLinks: [],
    replicas: 0,
    usedByGvc: false,
    sinceMs: 1_000,
    nowMs: 1_250,
    readyAfterMs: 300,
    world: friendlyWorld,
    digest: (text) => `<${text.length}>`,
  };

  test('a location that was added later has its own stage', () => {
    expect(domainStatus(facts)).toMatchObject({
      status: 'pendingCertificate',
      locations: [
        { name: 'aws-us-east-1', certificateStatus: 'pendingCertificate' },
        { name: 'gcp-us-east1', certificateStatus: 'pendingDnsConfig' },
      ],
    });
    expect(domainStatus(facts)).not.toHaveProperty('warning');
  });

  test.each<[string, Partial<DomainFacts>, string]>([
    ['ready after the last stage', { nowMs: 2_000 }, 'ready'],
    ['usedByGvc after the last stage if a GVC uses the domain', { nowMs: 2_000, usedByGvc: true }, 'usedByGvc'],
    ['still the current stage if a GVC uses the domain before the last', { usedByGvc: true }, 'pendingCertificate'],
    ['warning immediately for a missing workload (D18)', { missing: [web] }, 'warning'],
    ['warning for a rule (D11)', { warnings: ['the port 81 needs more'], nowMs: 2_000 }, 'warning'],
    [
      'errored rather than warning',
      { missing: [web], nowMs: 2_000, world: { dns: 'resolved', certificate: 'refused' } },
      'errored',
    ],
  ])('%s', (_, more, word) => {
    expect(domainStatus({ ...facts, ...more })['status']).toBe(word);
  });

  test('the warning names every cause', () => {
    expect(domainStatus({ ...facts, missing: [web], warnings: ['b'] })['warning']).toBe(`${web} does not exist; b`);
  });

  test('the fingerprint depends on the configuration, not on the time', () => {
    const digest = (text: string): string => text;
    const at = (more: Partial<DomainFacts>): unknown => domainStatus({ ...facts, digest, ...more })['fingerprint'];
    expect(at({ nowMs: 9_000 })).toBe(at({}));
    expect(at({ record: { spec: { dnsMode: 'ns' } } })).not.toBe(at({}));
  });
});
