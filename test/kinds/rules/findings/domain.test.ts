import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { domainView, gvcOf, isHostName, isSameLink, workloadRef } from '../../../../src/kinds/domain/domainView.ts';
import { context, other } from '../ruleCase.ts';
import { findings } from './findings.ts';

const link = (name: string, gvc = 'shop') => `//gvc/${gvc}/workload/${name}`;
const of = (spec: JsonObject, name = 'www.example.com', fields: JsonObject = {}): JsonObject => ({
  name,
  ...fields,
  spec,
});
const ports = (...list: readonly JsonObject[]) => of({ ports: list });
const at = 'spec.ports.443';
const certificate = { tls: { serverCertificate: { secretLink: '//secret/cert' } } };
const gvcDomain = (spec: JsonObject, ...list: readonly JsonObject[]) =>
  of({ gvcLink: '//gvc/shop', dnsMode: 'cname', ...spec, ports: list });
const corp = (spec: JsonObject, ...list: readonly JsonObject[]) =>
  of({ ports: list.length === 0 ? [{ number: 80 }] : list, ...spec }, 'db.corp.internal');
const plain = other('gvc', 'shop', { spec: {} });
const dedicated = other('gvc', 'shop', { spec: { loadBalancer: { dedicated: true } } });
const parent = (spec: JsonObject) => other('domain', 'example.com', { spec });

// biome-ignore format: a row is a case
findings('domain', {
  'name.domain': [['leaves a name that is missing to the structure', { spec: {} }, {}]],
  D4: [
    ['accepts an apex without ns', of({}, 'example.com'), {}],
    ['leaves an invalid host name to name.domain', of({ dnsMode: 'ns' }, 'Example.com'), {}],
    ['names the apex', of({ dnsMode: 'ns' }, 'example.com'), { 'spec.dnsMode': '"example.com" is an apex domain' }],
  ],
  D5: [
    ['accepts http01 with cname', of({ certChallengeType: 'http01' }), {}],
    ['accepts ns without a challenge', of({ dnsMode: 'ns' }), {}],
  ],
  D6: [
    ['checks only ports with TLS',
      gvcDomain({}, { number: 80 }, { number: 444, protocol: 'tcp', tls: {} }, { number: 443, ...certificate }), {}],
    ['names each port', gvcDomain({}, { number: 443 }, { number: 8443, tls: {} }),
      { [at]: 'the port 443 needs a', 'spec.ports.8443': 'the port 8443 needs a' }],
    ['reports http01 too',
      gvcDomain({ certChallengeType: 'http01' }, { number: 443 }), { [at]: 'needs a server certificate' }],
    ['accepts dns01', gvcDomain({ certChallengeType: 'dns01' }, { number: 443 }), {}],
    ['accepts ns', gvcDomain({ dnsMode: 'ns' }, { number: 443 }), {}],
    ['accepts cname without a gvcLink', ports({ number: 443 }), {}],
    ['counts the one port that is filled in',
      gvcDomain({}), { 'spec.ports': 'the port 443 needs a server certificate' }],
  ],
  D8: [
    ['accepts all subdomains alone', of({ acceptAllSubdomains: true }), {}],
    ['names the GVC for each', of({ gvcLink: '//gvc/shop', acceptAllHosts: true }),
      { 'spec.acceptAllHosts': 'the GVC "shop" needs a dedicated load balancer' }, { others: [plain] }],
    ['accepts a dedicated load balancer', of({ gvcLink: '//gvc/shop', acceptAllHosts: true }), {},
      { others: [dedicated] }],
    ['reports nothing if no link names the GVC', of({ acceptAllHosts: true }), {}, { others: [plain] }],
    ['reports nothing about a missing GVC', of({ gvcLink: '//gvc/shop', acceptAllHosts: true }), {},
      { absent: ['gvc/shop'] }],
    ['reports nothing if neither is on', of({ gvcLink: '//gvc/shop', acceptAllHosts: false }), {}, { others: [plain] }],
  ],
  D11: [
    ...(
      [
        [80, 'http', false],
        [443, 'http2', false],
        [443, 'tcp', true],
        [80, 'tcp', true],
        [8080, 'http', true],
      ] as const
    ).map(
      ([number, protocol, needs]) =>
        [
          `${number} with ${protocol} ${needs ? 'needs' : 'does not need'} a dedicated load balancer (platform/domain.routing)`,
          ports({ number, protocol, routes: [{ workloadLink: link('web') }] }),
          needs
            ? {
                [`spec.ports.${number}`]: `the port ${number} (${protocol}) needs a dedicated load balancer in the GVC "shop"`,
              }
            : {},
          { others: [plain] },
        ] as const,
    ),
    ['accepts it if there is one', ports({ number: 8080, routes: [{ workloadLink: link('web') }] }), {},
      { others: [dedicated] }],
    ['reports nothing if the GVC is unknown', ports({ number: 8080, routes: [{ workloadLink: link('web') }] }),
      {}],
  ],
  'domain.reserved-port': [
    ['accepts other ports', ports({ number: 8080, routes: [{ workloadLink: link('web') }] }), {},
      { others: [dedicated] }],
    ['reports nothing if the GVC is unknown', ports({ number: 9090, routes: [{ workloadLink: link('web') }] }),
      {}],
    ['names the port', ports({ number: 15_000, routes: [{ workloadLink: link('web') }] }),
      { 'spec.ports.15000.number': 'the port 15000 is reserved' }, { others: [dedicated] }],
  ],
  D12: [
    ['names the number', ports({ number: 80 }, { number: 80 }),
      { 'spec.ports.80': 'two ports must not have the same number (80)' }],
    ['counts the ports', ports(...Array.from({ length: 11 }, (_, n) => ({ number: 80 + n }))),
      { 'spec.ports': 'the domain has 11 ports' }],
  ],
  D13: [
    ['reports that there is none', ports({ number: 443, cors: { allowOrigins: [{}] } }),
      { [`${at}.cors.allowOrigins.0`]: 'and has neither' }],
    ['reports both', ports({ number: 443, cors: { allowOrigins: [{ exact: 'a', regex: 'b' }] } }),
      { [`${at}.cors.allowOrigins.a`]: 'and has both' }],
  ],
  D14: [
    ['accepts an apex that exists', of({ dnsMode: 'ns' }), {}, { others: [parent({})] }],
    ['names the apex',
      of({ dnsMode: 'ns' }), { name: 'the apex domain "example.com" does not exist' }, { absent: ['domain/example.com'] }],
    ['only applies to ns', of({ dnsMode: 'cname' }), {}, { absent: ['domain/example.com'] }],
    ['is not about an apex', of({ dnsMode: 'ns' }, 'example.com'), {}, { absent: ['domain/example.com'] }],
    ['is not about a public suffix', of({ dnsMode: 'ns' }, 'co.uk'), {}, { absent: ['domain/co.uk'] }],
    ['leaves an invalid host name to name.domain',
      of({ dnsMode: 'ns' }, 'A.example.com'), {}, { absent: ['domain/example.com'] }],
  ],
  D16: [
    ['names both', of({}), { name: 'the domain "example.com" above "www.example.com" must not have the DNS mode ns' },
      { others: [parent({ dnsMode: 'ns' })] }],
    ['accepts a parent with cname', of({}), {}, { others: [parent({ dnsMode: 'cname' })] }],
    ['accepts a parent without a mode for cname', of({}), {}, { others: [parent({})] }],
    ['accepts a parent with a gvcLink for ns (platform/concepts.filled)', of({}), { name: 'ns' },
      { others: [parent({ gvcLink: '//gvc/shop' })] }],
    ['only applies to cname', of({ dnsMode: 'ns' }), {}, { others: [parent({ dnsMode: 'ns' })] }],
    ['leaves an invalid host name to name.domain', of({}, 'A.example.com'), {},
      { others: [parent({ dnsMode: 'ns' })] }],
    ['accepts a parent that does not exist', of({}), {}, { absent: ['domain/example.com'] }],
  ],
  D17: [
    ['only applies to private names', of({ dnsMode: 'ns', certChallengeType: 'dns01' }), {}],
    ['refuses ns', corp({ dnsMode: 'ns' }), { 'spec.dnsMode': '"db.corp.internal" cannot have the DNS mode ns' }],
    ['refuses a gvcLink, and does not add the mode that follows from it', corp({ gvcLink: '//gvc/shop' }),
      { 'spec.gvcLink': '"db.corp.internal" cannot have a gvcLink' }],
    ['refuses a challenge', corp({ certChallengeType: 'dns01' }),
      { 'spec.certChallengeType': 'cannot have a challenge' }],
    ['names the port', corp({}, { number: 443 }), { [at]: 'the port 443 needs a server certificate' }],
    ['accepts a certificate', corp({}, { number: 443, ...certificate }), {}],
  ],
  'domain.cipher-suites': [
    ['names the suite', ports({ number: 443, tls: { cipherSuites: ['AES256-GCM-SHA384', 'DES-CBC3-SHA'] } }),
      { [`${at}.tls.cipherSuites.1`]: 'the cipher suite "DES-CBC3-SHA" is not offered' }],
  ],
  'domain.tls-on-tcp': [
    ['accepts tcp without tls', ports({ number: 443, protocol: 'tcp' }), {}],
    ['accepts tls that is empty', ports({ number: 443, protocol: 'tcp', tls: {} }), {}],
    ['accepts tls that is set to null', ports({ number: 443, protocol: 'tcp', tls: null }), {}],
  ],
});

test('omitted fields of a domain have defaults (platform/concepts.filled)', () => {
  const view = (spec: JsonObject) => domainView({ kind: 'domain', record: { name: 'a.example.com', spec }, context });
  const tls = (spec: JsonObject) =>
    view(spec).ports.map(({ number, protocol, endsTls }) => [number, protocol, endsTls]);
  expect([
    view({}).dnsMode,
    view({ gvcLink: '//gvc/shop' }).dnsMode,
    view({ gvcLink: 'x', dnsMode: 'cname' }).dnsMode,
  ]).toEqual(['cname', 'ns', 'cname']);
  expect(tls({})).toEqual([[443, 'http2', true]]);
  expect(tls({ ports: [] })).toEqual([[443, 'http2', true]]);
  expect(tls({ ports: [{}, { number: 80 }, { number: 81, tls: {} }, { protocol: 'tcp', tls: {} }] })).toEqual([
    [443, 'http2', true],
    [80, 'http2', false],
    [81, 'http2', true],
    [443, 'tcp', false],
  ]);
});

// biome-ignore format: a row is a case
test.each<[string, JsonObject, string | undefined]>([
  ['its gvcLink', { gvcLink: '//gvc/one', workloadLink: link('a', 'two') }, 'one'],
  ['its workloadLink', { gvcLink: '//secret/x', workloadLink: link('a', 'two'),
    ports: [{ routes: [{ workloadLink: link('b', 'three') }] }] }, 'two'],
  ['its first route that has one', { ports: [{}, { routes: [{}, { workloadLink: link('b', 'three') }] }] }, 'three'],
  ['a mirror of a route', { ports: [{ routes: [{ mirror: [{ workloadLink: link('b', 'four') }] }] }] }, 'four'],
  ['nothing', { ports: [{ routes: [{}] }] }, undefined],
])('the GVC of a domain is determined by %s', (_, spec, gvc) => {
  expect(gvcOf(domainView({ kind: 'domain', record: { name: 'a.example.com', spec }, context }))).toBe(gvc);
});

test('links are equal in every form, and two missing links are not equal', () => {
  expect(isSameLink('//gvc/shop/workload/a', '/org/acme/gvc/shop/workload/a', context)).toBe(true);
  expect(isSameLink('//gvc/shop/workload/a', '//gvc/shop/workload/b', context)).toBe(false);
  expect(isSameLink(undefined, undefined, context)).toBe(false);
  expect(workloadRef('//gvc/shop/identity/a', context)).toBeUndefined();
  expect(workloadRef(undefined, context)).toBeUndefined();
});

test.each([
  [`${'a.'.repeat(125)}com`, true], // 253 characters
  [`${'a.'.repeat(125)}info`, false],
  ['a.b', true],
  ['a-.b', false],
  ['com', false],
  ['a.B', false],
])('%s is a host name: %s (platform/concepts.names)', (text, valid) => {
  expect(isHostName(text)).toBe(valid);
});
