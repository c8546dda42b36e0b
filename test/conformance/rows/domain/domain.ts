import { expect } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/base/json/json.ts';
import { cipherSuites } from '../../../cipherSuites.ts';
import { type Field, fieldRow, problemPaths, same } from '../../harness/fieldRows.ts';
import { container, makeGvc, makeSecret, makeWorkload, specOf } from '../../harness/fixtures.ts';
import { at, nest } from '../../harness/place.ts';
import { type Row, row } from '../../harness/row.ts';
import { domainWith } from '../../harness/subjects.ts';
import type { Wire } from '../../harness/wire.ts';

/** A domain name that no other row uses. */
export function freshName(wire: Wire): string {
  return `${wire.name('shop')}.com`;
}

/** Creates a workload in a GVC with its own load balancer, which many features need; returns its full link. */
export async function target(wire: Wire, type = 'standard'): Promise<string> {
  const gvc = await makeGvc(wire, { loadBalancer: { dedicated: true } });
  const ports = [{ protocol: 'http', number: 8080 }];
  return `/org/local/${await makeWorkload(wire, gvc, specOf(type, { containers: [container({ ports })] }))}`;
}

/** Creates a domain with one route; returns the shown route. */
async function routed(wire: Wire, route: JsonObject, spec: JsonObject = {}): Promise<JsonValue | undefined> {
  const domain = await wire.ok('POST', 'domain', { name: freshName(wire), spec: withRoute(route, spec) });
  return at(domain, 'spec/ports/0/routes/0');
}

export function withRoute(route: JsonObject, spec: JsonObject): JsonObject {
  return { ...spec, ports: [{ number: 443, protocol: 'http2', routes: [route] }] };
}

const domain = domainWith();

// biome-ignore format: one case a line
export const domainRows: readonly Row[] = [
  fieldRow('domain/dnsMode', 'dnsMode is cname or ns', domain, 'spec/dnsMode', { value: 'cname', wrong: 'mx' }),
  row('domain/dnsMode default', 'dnsMode is cname by default, and ns is for sub-domains', async (wire) => {
    const apex = freshName(wire);
    expect(at(await wire.ok('POST', 'domain', { name: apex }), 'spec/dnsMode')).toBe('cname');
    const sub = await wire.ok('POST', 'domain', { name: `api.${apex}`, spec: { dnsMode: 'ns' } });
    expect(at(sub, 'spec/dnsMode')).toBe('ns');
    await wire.refused(400, 'POST', 'domain', { name: freshName(wire), spec: { dnsMode: 'ns' } });
  }),
  row('domain/gvcLink', 'gvcLink links a GVC, and excludes a workload and routes', async (wire) => {
    const apex = freshName(wire);
    await wire.ok('POST', 'domain', { name: apex });
    const gvc = await makeGvc(wire);
    const spec = { dnsMode: 'ns', gvcLink: `//gvc/${gvc}` };
    const shown = await wire.ok('POST', 'domain', { name: `apps.${apex}`, spec });
    expect(shown['spec']).toMatchObject({ dnsMode: 'ns', gvcLink: `/org/local/gvc/${gvc}` });
    const both = withRoute({ prefix: '/', workloadLink: await target(wire) }, spec);
    await wire.refused(400, 'POST', 'domain', { name: `more.${apex}`, spec: both });
  }),
  row('domain/workloadLink', 'workloadLink links a stateful workload', async (wire) => {
    const workloadLink = await target(wire, 'stateful');
    const spec = withRoute({ prefix: '/', workloadLink }, { workloadLink, certChallengeType: 'dns01' });
    const shown = await wire.ok('POST', 'domain', { name: freshName(wire), spec });
    expect(at(shown, 'spec/workloadLink')).toBe(workloadLink);
    const other = await target(wire);
    const wrong = withRoute({ prefix: '/', workloadLink: other }, { workloadLink: other, certChallengeType: 'dns01' });
    await wire.refused(400, 'POST', 'domain', { name: freshName(wire), spec: wrong });
  }),
  fieldRow('domain/certChallengeType', 'certChallengeType is http01 or dns01', domain, 'spec/certChallengeType',
    { value: 'http01', next: 'dns01', wrong: 'mail' }),
  ...['acceptAllHosts', 'acceptAllSubdomains'].map((field) =>
    row(`domain/${field}`, `${field} is a boolean, and false by default`, async (wire) => {
      const workloadLink = await target(wire);
      const name = freshName(wire);
      const spec = withRoute({ prefix: '/', workloadLink }, { [field]: true });
      expect(at(await wire.ok('POST', 'domain', { name, spec }), `spec/${field}`)).toBe(true);
      expect(at(await wire.ok('PATCH', `domain/${name}`, { spec: { [field]: false } }), `spec/${field}`)).toBe(false);
      const plain = await wire.ok('POST', 'domain', { name: freshName(wire) });
      expect([undefined, false]).toContain(at(plain, `spec/${field}`));
      await wire.refused(400, 'POST', 'domain', { name: freshName(wire), spec: { [field]: 'some' } });
    }),
  ),
  row('domain/ports', 'ports is a list of at most ten, and one HTTPS port by default', async (wire) => {
    const plain = await wire.ok('POST', 'domain', { name: freshName(wire) });
    expect(at(plain, 'spec/ports')).toMatchObject([{ number: 443, protocol: 'http2' }]);
    const ports = (count: number): JsonValue => Array.from({ length: count }, (_, index) => ({ number: 8000 + index }));
    await wire.ok('POST', 'domain', { name: freshName(wire), spec: { ports: ports(10) } });
    await wire.refused(400, 'POST', 'domain', { name: freshName(wire), spec: { ports: ports(11) } });
    const twice = [{ number: 443 }, { number: 443 }];
    await wire.refused(400, 'POST', 'domain', { name: freshName(wire), spec: { ports: twice } });
  }),
  portRow('number', 'a port has a number', 8443, 'many'),
  portRow('protocol', 'a port speaks http, http2 or tcp', 'http', 'quic'),
  row('domain/port.routes', 'a port has routes', async (wire) => {
    const workloadLink = await target(wire);
    expect(await routed(wire, { prefix: '/shop', workloadLink })).toMatchObject({ prefix: '/shop', workloadLink });
  }),
  portRow('cors', 'a port has cors', { allowMethods: ['GET'] }, 'all'),
  portRow('tls', 'a port has tls', { minProtocolVersion: 'TLSV1_3' }, 'on'),
  routeRow('prefix', 'a route has a prefix, which is / if there is neither prefix nor regex', { prefix: '/api' }, 5),
  row('domain/route.prefix default', 'a route without prefix and regex matches /', async (wire) => {
    expect(await routed(wire, { workloadLink: await target(wire) })).toMatchObject({ prefix: '/' });
  }),
  routeRow('replacePrefix', 'a route may replace its prefix', { prefix: '/api', replacePrefix: '/v1' }, {}),
  routeRow('regex', 'a route may have a regex instead of a prefix', { regex: '^/a[0-9]+$' }, '('),
  row('domain/route.workloadLink', 'a route links a workload, stored in full', async (wire) => {
    const workloadLink = await target(wire);
    const short = workloadLink.replace('/org/local/', '//');
    expect(at(await routed(wire, { prefix: '/', workloadLink: short }), 'workloadLink')).toBe(workloadLink);
    await wire.refused(400, 'POST', 'domain', { name: freshName(wire), spec: withRoute({ prefix: '/' }, {}) });
  }),
  routeRow('port', 'a route names a port of the workload', { prefix: '/', port: 8080 }, 'web'),
  routeRow('hostPrefix', 'a route may match the beginning of the host', { prefix: '/', hostPrefix: 'api.' }, 5, true),
  routeRow('hostRegex', 'a route may match the host by a regex', { prefix: '/', hostRegex: '^a.*' }, '(', true),
  routeRow('headers', 'a route may set request headers',
    { prefix: '/', headers: { request: { set: { 'x-from': 'domain' } } } }, 'x'),
  row('domain/route.replica', 'a route may go to one replica of a stateful workload', async (wire) => {
    const workloadLink = await target(wire, 'stateful');
    expect(await routed(wire, { prefix: '/', workloadLink, replica: 1 })).toMatchObject({ replica: 1 });
    const spec = withRoute({ prefix: '/', workloadLink: await target(wire), replica: -1 }, {});
    await wire.refused(400, 'POST', 'domain', { name: freshName(wire), spec });
  }),
  row('domain/route.mirror', 'a route may mirror a part of its requests to workloads of the same GVC', async (wire) => {
    const workloadLink = await target(wire);
    const mirror = [{ workloadLink, port: 8080, percent: 25 }];
    expect(at(await routed(wire, { prefix: '/', workloadLink, mirror }), 'mirror')).toEqual(mirror);
    const spec = withRoute({ prefix: '/', workloadLink, mirror: [{ workloadLink, percent: 101 }] }, {});
    await wire.refused(400, 'POST', 'domain', { name: freshName(wire), spec });
  }),
  corsRow('allowOrigins', 'allowOrigins are exact or a regex',
    { value: [{ exact: 'https://a.example.com' }, { regex: '.*example' }], next: [{ exact: 'https://b.example.com' }],
      wrong: [{ exact: 'https://a.example.com', regex: 'a' }] }),
  corsRow('allowMethods', 'allowMethods is a list', { value: ['GET', 'PUT'], next: ['GET'], wrong: 'GET' }),
  corsRow('allowHeaders', 'allowHeaders is a list', { value: ['x-a'], next: ['x-b'], wrong: { a: 'x' } }),
  corsRow('exposeHeaders', 'exposeHeaders is a list', { value: ['x-a'], next: ['x-b'], wrong: { a: 'x' } }),
  corsRow('maxAge', 'maxAge is a duration', { value: '10h', next: '30m', wrong: 'long' }),
  corsRow('allowCredentials', 'allowCredentials is a boolean', { value: true, next: false, wrong: 'some' }),
  tlsRow('minProtocolVersion', 'minProtocolVersion is one of four versions',
    { value: 'TLSV1_2', next: 'TLSV1_3', wrong: 'SSLV3' }),
  tlsRow('cipherSuites', 'cipherSuites are some of the eight offered suites',
    { value: ['AES128-GCM-SHA256', 'ECDHE-RSA-AES256-GCM-SHA384'], next: ['AES256-GCM-SHA384'], wrong: ['NULL-MD5'] }),
  row('domain/tls.cipherSuites default', 'a port 443 without tls gets TLS 1.2 and the eight suites', async (wire) => {
    const plain = await wire.ok('POST', 'domain', { name: freshName(wire) });
    const tls = at(plain, 'spec/ports/0/tls');
    expect(at(tls, 'minProtocolVersion')).toBe('TLSV1_2');
    expect(at(tls, 'cipherSuites')).toEqual(expect.arrayContaining(cipherSuites));
    expect(at(tls, 'cipherSuites')).toHaveLength(cipherSuites.length);
    const only80 = await wire.ok('POST', 'domain', {
      name: freshName(wire),
      spec: { ports: [{ number: 80, protocol: 'http' }] },
    });
    expect(at(only80, 'spec/ports/0/tls')).toBeUndefined();
  }),
  ...['clientCertificate', 'serverCertificate'].map((certificate) =>
    row(`domain/tls.${certificate}`, `${certificate} links a secret with a key pair`, async (wire) => {
      const secretLink = await makeSecret(wire, 'keypair');
      const spec = { ports: [{ number: 443, protocol: 'http2', tls: { [certificate]: { secretLink } } }] };
      const shown = await wire.ok('POST', 'domain', { name: freshName(wire), spec });
      expect(at(shown, `spec/ports/0/tls/${certificate}`)).toEqual({ secretLink });
      const wrong = { ports: [{ number: 443, tls: { [certificate]: { secretLink: '//secret/none' } } }] };
      await wire.refused(400, 'POST', 'domain', { name: freshName(wire), spec: wrong });
    }),
  ),
];

/** A row for a member of a port, which is stored, and refused if invalid. */
function portRow(member: string, statement: string, value: JsonValue, wrong: JsonValue): Row {
  return row(`domain/port.${member}`, statement, async (wire) => {
    const port = { number: 443, protocol: 'http2' };
    const shown = await wire.ok('POST', 'domain', {
      name: freshName(wire),
      spec: { ports: [{ ...port, [member]: value }] },
    });
    same(at(shown, `spec/ports/0/${member}`), value);
    const spec = { ports: [{ ...port, [member]: wrong }] };
    const error = await wire.refused(400, 'POST', 'domain', { name: freshName(wire), spec });
    expect(problemPaths(error)).toContain(member);
  });
}

/** A row for a member of a route, which is stored, and refused if invalid. */
function routeRow(member: string, statement: string, route: JsonObject, wrong: JsonValue, manyHosts = false): Row {
  return row(`domain/route.${member}`, statement, async (wire) => {
    const hosts = manyHosts ? { acceptAllSubdomains: true } : {};
    const workloadLink = await target(wire);
    expect(await routed(wire, { ...route, workloadLink }, hosts)).toMatchObject(route);
    const spec = withRoute({ ...route, workloadLink, [member]: wrong }, hosts);
    const error = await wire.refused(400, 'POST', 'domain', { name: freshName(wire), spec });
    expect(problemPaths(error)).toContain(member);
  });
}

function corsRow(member: string, statement: string, field: Field): Row {
  return portMemberRow('cors', member, statement, field);
}

function tlsRow(member: string, statement: string, field: Field): Row {
  return portMemberRow('tls', member, statement, field);
}

/** A row for a member of `cors` or `tls` of port 443. */
function portMemberRow(block: string, member: string, statement: string, field: Field): Row {
  const subject = {
    ...domain,
    set: (record: JsonObject, place: string, value: JsonValue): JsonObject => ({
      ...record,
      spec: { ports: [{ number: 443, protocol: 'http2', ...nest(place, value) }] },
    }),
    patch: (_record: JsonObject, place: string, value: JsonValue): JsonObject => ({
      spec: { '$patch/ports': [{ number: 443, ...nest(place, value) }] },
    }),
    read: (place: string): string => `spec/ports/0/${place}`,
  };
  return fieldRow(`domain/${block}.${member}`, statement, subject, `${block}/${member}`, field);
}
