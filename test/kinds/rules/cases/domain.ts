import type { JsonObject } from '../../../../src/base/json/json.ts';
import { casesOf, other, type RuleCase } from '../ruleCase.ts';

const web = '//gvc/shop/workload/web';
const db = '//gvc/shop/workload/db';
const of = (spec: JsonObject, name = 'www.example.com', fields: JsonObject = {}): JsonObject => ({
  name,
  ...fields,
  spec,
});
const port = (value: JsonObject, spec: JsonObject = {}) => of({ ports: [value], ...spec });
const routed = (...routes: JsonObject[]) =>
  port({ number: 443, routes: routes.map((route) => ({ workloadLink: web, ...route })) });
const certificate = { tls: { serverCertificate: { secretLink: '//secret/cert' } } };
const at = 'spec.ports.443';
const workloads = [
  other('workload', 'web', { spec: { type: 'standard', containers: [{ name: 'main', ports: [{ number: 8080 }] }] } }),
  other('workload', 'db', { spec: { type: 'stateful', containers: [{ name: 'main', ports: [{ number: 5432 }] }] } }),
];
const plain = other('gvc', 'shop', { spec: {} });
const dedicated = {
  ref: { kind: 'gvc', name: 'wide' },
  record: { name: 'wide', spec: { loadBalancer: { dedicated: true } } },
} as const;
const wide = '//gvc/wide/workload/web';
const direct = (workloadLink: string, spec: JsonObject = {}) =>
  of({ workloadLink, certChallengeType: 'dns01', ports: [{ number: 443, routes: [{ workloadLink }] }], ...spec });

// biome-ignore format: a row is a case
export const domainCases: readonly RuleCase[] = [
  ...casesOf('name.domain', 'domain', [
    { it: 'no top-level domain (A.2)', passes: of({}), fails: of({}, 'localhost'), path: 'name' },
    { it: 'a capital letter (A.2)', passes: of({}, 'a-b.example.com'), fails: of({}, 'A.example.com'), path: 'name' },
  ]),
  ...casesOf('D2', 'domain', [
    { it: 'gvcLink beside routes', passes: of({ gvcLink: '//gvc/shop', ports: [{ number: 443 }] }),
      fails: port({ routes: [{ workloadLink: web }] }, { gvcLink: '//gvc/shop' }), path: 'spec.gvcLink' },
    { it: 'gvcLink beside workloadLink', passes: of({}), fails: of({ gvcLink: '//gvc/shop', workloadLink: db }),
      path: 'spec.gvcLink' },
  ]),
  ...casesOf('D3', 'domain', [
    { it: 'a mirror in another GVC', passes: routed({ mirror: [{ workloadLink: db, percent: 25.5 }] }),
      fails: routed({ mirror: [{ workloadLink: '//gvc/other/workload/web', percent: 5 }] }),
      path: `${at}.routes."/".mirror.web.workloadLink` },
  ]),
  ...casesOf('D4', 'domain', [
    { it: 'an apex in ns mode', passes: of({ dnsMode: 'ns' }, 'a.example.co.uk'),
      fails: of({ dnsMode: 'ns' }, 'example.co.uk'), path: 'spec.dnsMode' },
    { it: 'an apex with gvcLink, which means ns',
      passes: of({ gvcLink: '//gvc/shop', dnsMode: 'cname' }, 'example.com'),
      fails: of({ gvcLink: '//gvc/shop' }, 'example.com'), path: 'spec.dnsMode' },
  ]),
  ...casesOf('D5', 'domain', [
    { it: 'ns with http01', passes: of({ dnsMode: 'ns', certChallengeType: 'dns01' }),
      fails: of({ dnsMode: 'ns', certChallengeType: 'http01' }), path: 'spec.certChallengeType' },
  ]),
  ...casesOf('D6', 'domain', [
    { it: 'no server certificate',
      passes: port({ number: 443, ...certificate }, { dnsMode: 'cname', gvcLink: '//gvc/shop' }),
      fails: port({ number: 443 }, { dnsMode: 'cname', gvcLink: '//gvc/shop' }), path: at },
    { it: 'no ports, so 443 without a certificate',
      passes: of({ dnsMode: 'cname', gvcLink: '//gvc/shop', certChallengeType: 'dns01' }),
      fails: of({ dnsMode: 'cname', gvcLink: '//gvc/shop' }), path: 'spec.ports' },
  ]),
  ...casesOf('D7', 'domain', [
    { it: 'http01 beside workloadLink', passes: direct(db), fails: direct(db, { certChallengeType: 'http01' }),
      path: 'spec.certChallengeType' },
    { it: 'a port without a route', passes: direct(db), fails: direct(db, { ports: [{ number: 443 }] }), path: at },
    { it: 'a route to another workload',
      passes: direct(db, { ports: [{ number: 443, routes: [{ workloadLink: '/org/acme/gvc/shop/workload/db' }] }] }),
      fails: direct(db, { ports: [{ number: 443, routes: [{ workloadLink: web }] }] }),
      path: `${at}.routes."/".workloadLink` },
    { it: 'a workload that is not stateful', others: workloads, passes: direct(db), fails: direct(web),
      path: 'spec.workloadLink' },
  ]),
  ...casesOf('D8', 'domain', [
    { it: 'both switches', passes: of({ acceptAllHosts: true, acceptAllSubdomains: false }),
      fails: of({ acceptAllHosts: true, acceptAllSubdomains: true }), path: 'spec.acceptAllHosts' },
    { it: 'no dedicated load balancer', others: [plain, dedicated],
      passes: port({ routes: [{ workloadLink: wide }] }, { acceptAllSubdomains: true }),
      fails: port({ routes: [{ workloadLink: web }] }, { acceptAllSubdomains: true }),
      path: 'spec.acceptAllSubdomains' },
  ]),
  ...casesOf('D9', 'domain', [
    { it: 'a host prefix without a switch',
      passes: port({ routes: [{ hostPrefix: 'a.', workloadLink: web }] }, { acceptAllSubdomains: true }),
      fails: port({ number: 443, routes: [{ prefix: '/', hostPrefix: 'a.', workloadLink: web }] }),
      path: `${at}.routes."/+a.".hostPrefix` },
    { it: 'hostPrefix and hostRegex',
      passes: port({ routes: [{ hostRegex: 'a.*', workloadLink: web }] }, { acceptAllHosts: true }),
      fails: port({ number: 443, routes: [{ hostPrefix: 'a.', hostRegex: 'a.*', workloadLink: web }] },
        { acceptAllHosts: true }), path: `${at}.routes."/+a."` },
  ]),
  ...casesOf('D10', 'domain', [
    { it: 'prefix and regex', passes: routed({ prefix: '/a' }, { regex: '/b' }),
      fails: routed({ prefix: '/a', regex: '/b' }), path: `${at}.routes."/a"` },
    { it: 'the same prefix twice, once by default', passes: routed({}, { prefix: '/a' }),
      fails: routed({}, { prefix: '/' }), path: `${at}.routes."/"` },
  ]),
  ...casesOf('D11', 'domain', [
    { it: 'a tcp port without a dedicated load balancer', others: [plain, dedicated],
      passes: port({ number: 5432, protocol: 'tcp', routes: [{ workloadLink: wide }] }),
      fails: port({ number: 5432, protocol: 'tcp', routes: [{ workloadLink: web }] }), path: 'spec.ports.5432' },
  ]),
  ...casesOf('D12', 'domain', [
    { it: 'the same number twice, once by default', passes: of({ ports: [{ number: 80 }, {}] }),
      fails: of({ ports: [{ number: 443 }, {}] }), path: 'spec.ports.443' },
    { it: 'eleven ports', passes: of({ ports: Array.from({ length: 10 }, (_, n) => ({ number: 80 + n })) }),
      fails: of({ ports: Array.from({ length: 11 }, (_, n) => ({ number: 80 + n })) }), path: 'spec.ports' },
  ]),
  ...casesOf('D13', 'domain', [
    { it: 'exact and regex', passes: port({ cors: { allowOrigins: [{ exact: 'a' }, { regex: 'b' }] } }),
      fails: port({ number: 443, cors: { allowOrigins: [{ exact: 'a', regex: 'b' }] } }),
      path: `${at}.cors.allowOrigins.a` },
    { it: 'a regex that cannot be compiled',
      passes: port({ cors: { allowOrigins: [{ regex: String.raw`^https://.*\.example\.com$` }] } }),
      fails: port({ cors: { allowOrigins: [{ regex: '(a' }] } }), path: `${at}.cors.allowOrigins."(a".regex` },
  ]),
  ...casesOf('D14', 'domain', [
    { it: 'ns without its apex', absent: ['domain/example.com'], passes: of({ dnsMode: 'ns' }, 'a.other.com'),
      fails: of({ dnsMode: 'ns' }, 'a.b.example.com'), path: 'name' },
  ]),
  ...casesOf('D16', 'domain', [
    { it: 'cname below an ns domain', others: [other('domain', 'sub.example.com', { spec: { dnsMode: 'ns' } })],
      passes: of({}, 'www.example.com'), fails: of({}, 'www.sub.example.com'), path: 'name' },
  ]),
  ...casesOf('D17', 'domain', [
    { it: 'an internal name with a challenge',
      passes: of({ ports: [{ number: 443, ...certificate }] }, 'db.corp.internal'),
      fails: of({ certChallengeType: 'dns01', ports: [{ number: 443, ...certificate }] }, 'db.corp.internal'),
      path: 'spec.certChallengeType' },
    { it: 'an internal name without a certificate',
      passes: of({ ports: [{ number: 80, protocol: 'http' }] }, 'db.corp.internal'),
      fails: of({ ports: [{ number: 443 }] }, 'db.corp.internal'), path: at },
  ]),
  ...casesOf('D19', 'domain', [
    { it: 'a replica of a standard workload', others: workloads, passes: routed({ workloadLink: db, replica: 0 }),
      fails: routed({ replica: 0 }), path: `${at}.routes."/".replica` },
  ]),
  ...casesOf('domain.cipher-suites', 'domain', [
    { it: 'an older suite', passes: port({ tls: { cipherSuites: ['AES128-GCM-SHA256'] } }),
      fails: port({ number: 443, tls: { cipherSuites: ['DES-CBC3-SHA'] } }), path: `${at}.tls.cipherSuites.0` },
  ]),
  ...casesOf('domain.tls-on-tcp', 'domain', [
    { it: 'tls on tcp', passes: port({ number: 443, ...certificate }),
      fails: port({ number: 443, protocol: 'tcp', ...certificate }), path: `${at}.tls` },
  ]),
  ...casesOf('domain.route-form', 'domain', [
    { it: 'a prefix without a slash', passes: routed({ prefix: '/a-b_c.d~e/' }), fails: routed({ prefix: 'a' }),
      path: `${at}.routes.a.prefix` },
    { it: 'replacePrefix with a regex', passes: routed({ prefix: '/a', replacePrefix: '/' }),
      fails: routed({ regex: '/a', replacePrefix: '/' }), path: `${at}.routes."/a".replacePrefix` },
    { it: 'a look-ahead, which RE2 does not know', passes: routed({ regex: '(?i)/(?P<id>[0-9]+)' }),
      fails: routed({ regex: '/(?!a)' }), path: `${at}.routes."/(?!a)".regex` },
  ]),
  ...casesOf('domain.route-count', 'domain', [
    { it: '151 routes', passes: routed(...Array.from({ length: 150 }, (_, n) => ({ prefix: `/${n}` }))),
      fails: routed(...Array.from({ length: 151 }, (_, n) => ({ prefix: `/${n}` }))), path: 'spec.ports' },
  ]),
  ...casesOf('domain.canaries', 'domain', [
    { it: 'weights over 100',
      passes: routed({ canaries: [{ workloadLink: db, weight: 100 }, { workloadLink: web, weight: 0 }] }),
      fails: routed({ canaries: [{ workloadLink: db, weight: 60 }, { workloadLink: web, weight: 41 }] }),
      path: `${at}.routes."/".canaries` },
  ]),
  ...casesOf('domain.header-token', 'domain', [
    { it: 'a token that is not allowed', passes: routed({ headers: { request: { set: { a: '%START_TIME% 100%%' } } } }),
      fails: routed({ headers: { request: { set: { a: '%PROTOCOL%' } } } }),
      path: `${at}.routes."/".headers.request.set.a` },
  ]),
  ...casesOf('domain.reserved-port', 'domain', [
    { it: 'a reserved port with a dedicated load balancer (B2.3)', others: [plain, dedicated],
      passes: port({ number: 9090, routes: [{ workloadLink: web }] }),
      fails: port({ number: 9090, routes: [{ workloadLink: wide }] }), path: 'spec.ports.9090.number' },
  ]),
  ...casesOf('domain.route-port', 'domain', [
    { it: 'a port that the workload does not serve', others: workloads, passes: routed({ port: 8080 }),
      fails: routed({ port: 8081 }), path: `${at}.routes."/".port` },
  ]),
  ...casesOf('S4', 'domain', [
    { it: 'a certificate that is no keypair',
      others: [other('secret', 'cert', { type: 'keypair' }), other('secret', 'text', { type: 'opaque' })],
      passes: port(certificate),
      fails: port({ number: 443, tls: { serverCertificate: { secretLink: '//secret/text' } } }),
      path: `${at}.tls.serverCertificate.secretLink` },
  ]),
];
