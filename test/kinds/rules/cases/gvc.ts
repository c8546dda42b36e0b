import type { JsonObject } from '../../../../src/base/json/json.ts';
import { casesOf, other, type RuleCase } from '../ruleCase.ts';

const gvc = (spec: JsonObject = {}, fields: JsonObject = {}): JsonObject => ({ name: 'shop', ...fields, spec });
const otel = { otel: { endpoint: 'collector:4317' } };
const terms = (...list: JsonObject[]) =>
  gvc({ staticPlacement: { locationQuery: { kind: 'location', spec: { terms: list } } } });
const term = 'spec.staticPlacement.locationQuery.spec.terms.0';
const placed = (...names: string[]) => ({ locationLinks: names.map((name) => `//location/${name}`) });
const east = { locationLink: '//location/east' };
const options = (...locationOptions: JsonObject[]) =>
  gvc({ staticPlacement: { ...placed('east', 'west'), locationOptions } });
const redirect = { class: { status401: 'https://login.example.com' } };

// biome-ignore format: a row is a case
export const gvcCases: readonly RuleCase[] = [
  { rule: 'G1', it: 'a capital letter', kind: 'gvc', passes: { name: 'abc' }, fails: { name: 'Abc' }, path: 'name' },
  ...casesOf('G1', 'gvc', [
    { it: '65 characters (platform/concepts.names)', passes: { name: 'a'.repeat(64) }, fails: { name: 'a'.repeat(65) },
      path: 'name' },
    { it: 'two characters (platform/concepts.names)', passes: { name: 'abc' }, fails: { name: 'ab' }, path: 'name' },
    { it: 'another name', before: { name: 'shop' }, passes: { name: 'shop' }, fails: { name: 'store' }, path: 'name' },
  ]),
  ...casesOf('G2', 'gvc', [
    { it: 'two providers', passes: gvc({ tracing: { sampling: 55.55, provider: otel } }),
      fails: gvc({ tracing: { sampling: 10, provider: { ...otel, controlplane: {} } } }),
      path: 'spec.tracing.provider' },
    { it: 'no sampling', passes: gvc({ tracing: { sampling: 0, provider: { controlplane: {} } } }),
      fails: gvc({ tracing: { provider: otel } }), path: 'spec.tracing' },
    { it: 'no provider', passes: gvc({ tracing: { sampling: 1, tracer: { endpoint: 'a:1' } } }),
      fails: gvc({ tracing: { sampling: 1 } }), path: 'spec.tracing.provider' },
  ]),
  ...casesOf('G3', 'gvc', [
    { it: 'a term with tag and property', passes: terms({ tag: 'a', value: 1 }),
      fails: terms({ tag: 'a', property: 'b', value: 1 }), path: term },
    { it: 'a value beside exists', passes: terms({ op: '!exists', rel: 'a' }),
      fails: terms({ op: 'exists', tag: 'a', value: 'x' }), path: `${term}.value` },
    { it: 'no value', passes: terms({ op: '=', tag: 'a', value: false }), fails: terms({ tag: 'a' }), path: term },
  ]),
  ...casesOf('gvc.query-kind', 'gvc', [
    { it: 'a query about workloads', passes: terms(),
      fails: gvc({ staticPlacement: { locationQuery: { kind: 'workload' } } }),
      path: 'spec.staticPlacement.locationQuery.kind' },
  ]),
  ...casesOf('G4', 'gvc', [
    { it: 'a reserved name in other letters', passes: gvc({ env: [{ name: 'MODE', value: 'x' }] }),
      fails: gvc({ env: [{ name: 'k_Service', value: 'x' }] }), path: 'spec.env.k_Service.name' },
    { it: 'a reserved prefix', passes: gvc({ env: [{ name: 'SCHEMES', value: 'x' }] }),
      fails: gvc({ env: [{ name: 'SCHEME_ORG' }] }), path: 'spec.env.SCHEME_ORG.name' },
    { it: 'the same name twice', passes: gvc({ env: [{ name: 'A' }, { name: 'a' }] }),
      fails: gvc({ env: [{ name: 'A' }, { name: 'A' }] }), path: 'spec.env.A' },
  ]),
  ...casesOf('G5', 'gvc', [
    { it: 'a redirect without a dedicated balancer', passes: gvc({ loadBalancer: { dedicated: true, redirect } }),
      fails: gvc({ loadBalancer: { redirect } }), path: 'spec.loadBalancer.redirect' },
  ]),
  ...casesOf('gvc.redirect-uri', 'gvc', [
    { it: 'no URI', passes: gvc({ loadBalancer: { redirect: { class: { status5xx: 'https://a.example' } } } }),
      fails: gvc({ loadBalancer: { redirect: { class: { status5xx: 'a.example' } } } }),
      path: 'spec.loadBalancer.redirect.class.status5xx' },
  ]),
  ...casesOf('G6', 'gvc', [
    { it: 'secrets without keda', passes: gvc({ keda: { enabled: true, secrets: ['//secret/a'] } }),
      fails: gvc({ keda: { secrets: ['//secret/a'] } }), path: 'spec.keda.secrets' },
  ]),
  ...casesOf('G7', 'gvc', [
    { it: 'a session cookie without a duration',
      passes: gvc({}, { tags: { 'scheme/sessionCookie': 'c', 'scheme/sessionDuration': '1h' } }),
      fails: gvc({}, { tags: { 'scheme/sessionCookie': 'c' } }), path: 'tags."scheme/sessionCookie"' },
  ]),
  ...casesOf('G8', 'gvc', [
    { it: 'a workload with options for a removed location',
      others: [other('workload', 'web', { spec: { localOptions: [{ location: 'west', spot: true }] } })],
      passes: gvc({ staticPlacement: placed('east', 'west') }), fails: gvc({ staticPlacement: placed('east') }),
      path: 'spec.staticPlacement' },
  ]),
  ...casesOf('gvc.location-options', 'gvc', [
    { it: 'a location that is not linked', passes: options(east), fails: options({ locationLink: '//location/north' }),
      path: 'spec.staticPlacement.locationOptions.north.locationLink' },
    { it: 'a location twice, once as a full link', passes: options(east, { locationLink: '//location/west' }),
      fails: options(east, { locationLink: '/org/acme/location/east' }),
      path: 'spec.staticPlacement.locationOptions.east' },
  ]),
  ...casesOf('S3', 'gvc', [
    { it: 'an opaque pull secret',
      others: [other('secret', 'pull', { type: 'docker' }), other('secret', 'text', { type: 'opaque' })],
      passes: gvc({ pullSecretLinks: ['//secret/pull', '//secret/unheard'] }),
      fails: gvc({ pullSecretLinks: ['//secret/text'] }), path: 'spec.pullSecretLinks.0' },
  ]),
  ...casesOf('S5', 'gvc', [
    { it: 'a dictionary as tracing credentials',
      others: [other('secret', 'token', { type: 'opaque' }), other('secret', 'map', { type: 'dictionary' })],
      passes: gvc({ tracing: { provider: { tracer: { credentials: '//secret/token' } } } }),
      fails: gvc({ tracing: { provider: { tracer: { credentials: '//secret/map' } } } }),
      path: 'spec.tracing.provider.tracer.credentials' },
  ]),
  ...casesOf('deprecated.gvc-domain', 'gvc', [
    { it: 'the domain of a GVC', where: 'offline', passes: gvc(), fails: gvc({ domain: 'example.com' }),
      path: 'spec.domain' },
  ]),
  ...casesOf('deprecated.gvc-tracer', 'gvc', [
    { it: 'the tracer in its old place', where: 'offline', passes: gvc({ tracing: { provider: otel } }),
      fails: gvc({ tracing: { tracer: { endpoint: 'a:1' } } }), path: 'spec.tracing.tracer' },
  ]),
];
