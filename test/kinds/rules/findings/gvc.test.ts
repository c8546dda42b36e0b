import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { gvcLocations, hasDedicatedBalancer, linkedLocations } from '../../../../src/kinds/gvc/gvcView.ts';
import { other } from '../ruleCase.ts';
import { findings } from './findings.ts';

const gvc = (spec: JsonObject, fields: JsonObject = {}): JsonObject => ({ name: 'shop', ...fields, spec });
const placed = (...names: readonly string[]) => ({ locationLinks: names.map((name) => `//location/${name}`) });
const optioned = (...locationOptions: readonly JsonObject[]) =>
  gvc({ staticPlacement: { ...placed('east', 'west'), locationOptions } });
const withOptions = (location: string) => other('workload', 'web', { spec: { localOptions: [{ location }, {}] } });
const otel = { otel: { endpoint: 'a:1' } };
const cookie = 'scheme/sessionCookie';
const duration = 'scheme/sessionDuration';

// biome-ignore format: a row is a case
findings('gvc', {
  'reference.dangling': [
    ['names the missing record, and leaves required ones to reference.missing',
      gvc({ staticPlacement: placed('nowhere'), keda: { enabled: true, secrets: ['//secret/none'] } }),
      { 'spec.keda.secrets.0': 'secret/none does not exist' }, { absent: ['secret/none', 'location/nowhere'] }],
  ],
  'reference.missing': [
    ['leaves records that may be missing to reference.dangling',
      gvc({ staticPlacement: placed('nowhere'), keda: { enabled: true, secrets: ['//secret/none'] } }),
      { 'spec.staticPlacement.locationLinks.0': 'location/nowhere does not exist' },
      { absent: ['secret/none', 'location/nowhere'] }],
  ],
  G1: [
    ['counts the characters of a short one', { name: 'ab' },
      { name: '"ab" has 2 characters; a GVC name must have 3 to 64' }],
    ['counts the characters of a long one', { name: 'a'.repeat(65) }, { name: 'has 65 characters' }],
    ['leaves a missing name to the schema', {}, {}],
    ['names both', { name: 'store' }, { name: 'the name "shop" cannot be changed to "store"' },
      { before: { name: 'shop' } }],
    ['accepts a change that omits it', {}, {}, { before: { name: 'shop' } }],
    ['accepts the first one', { name: 'shop' }, {}, { before: {} }],
  ],
  'name.immutable': [['leaves it to G1', { name: 'store' }, {}, { before: { name: 'shop' } }]],
  G2: [
    ['accepts no tracing, and an empty one', gvc({ tracing: {} }), {}],
    ...['otel', 'tracer', 'controlplane'].map((provider) => [`takes ${provider}`,
        gvc({ tracing: { sampling: 1, provider: { [provider]: {} } } }), {}] as const),
    ['reports that there is none', gvc({ tracing: { provider: {} } }),
      { 'spec.tracing': 'needs a sampling rate',
        'spec.tracing.provider': 'tracing must have exactly one provider, and has none' }],
    ['names them, the old place too', gvc({ tracing: { sampling: 1, provider: otel, tracer: {} } }),
      { 'spec.tracing.provider': 'and has otel and tracer (outside provider)' }],
  ],
  G4: [['takes a GVC without variables', gvc({}), {}]],
  G5: [
    ['accepts an empty redirect', gvc({ loadBalancer: { redirect: { class: {} } } }), {}],
    ['accepts a load balancer without one', gvc({ loadBalancer: { dedicated: false } }), {}],
    ['refuses it if it is not dedicated',
      gvc({ loadBalancer: { dedicated: false, redirect: { class: { status401: 'x' } } } }),
      { 'spec.loadBalancer.redirect': 'a dedicated' }],
  ],
  'gvc.redirect-uri': [
    ['accepts a redirect without one', gvc({ loadBalancer: { redirect: { class: { status401: 'x' } } } }), {}],
    ['shows it', gvc({ loadBalancer: { redirect: { class: { status5xx: '/down' } } } }),
      { 'spec.loadBalancer.redirect.class.status5xx': '"/down" is not a URI' }],
  ],
  G6: [
    ['accepts an empty list', gvc({ keda: { secrets: [] } }), {}],
    ['accepts keda without secrets', gvc({ keda: { enabled: false } }), {}],
  ],
  G7: [
    ['accepts neither', gvc({}, { tags: { a: 'b' } }), {}],
    ['accepts both', gvc({}, { tags: { [cookie]: 'c', [duration]: '1h' } }), {}],
    ['names the cookie', gvc({}, { tags: { [cookie]: 'c' } }),
      { [`tags."${cookie}"`]: `the tag "${cookie}" needs the tag "${duration}" too` }],
    ['names the duration', gvc({}, { tags: { [duration]: '1h' } }),
      { [`tags."${duration}"`]: `the tag "${duration}" needs the tag "${cookie}" too` }],
  ],
  G8: [
    ['names workload and location', gvc({ staticPlacement: placed('east') }),
      { 'spec.staticPlacement': 'the workload "web" has options for "west", which is not a location of this GVC' },
      { others: [withOptions('//location/west')] }],
    ['accepts options in any form', gvc({ staticPlacement: placed('east') }), {}, { others: [withOptions('east')] }],
    ['reports nothing beside a query', gvc({ staticPlacement: { locationQuery: {} } }), {},
      { others: [withOptions('west')] }],
    ['reports nothing if the GVC is unknown', gvc({ staticPlacement: placed('east') }), {},
      { others: [withOptions('west')], context: { org: 'acme' } }],
  ],
  'gvc.location-options': [
    ['leaves options without a location to the schema', optioned({}, {}), {}],
    ['names the location', optioned({ locationLink: '//location/north' }, { locationLink: '//location/north' }),
      { 'spec.staticPlacement.locationOptions.north.locationLink': ['"north" is not among', '"north" is not among'],
        'spec.staticPlacement.locationOptions.north': '"north" may have options only once' }],
    ['reports nothing beside a query',
      gvc({ staticPlacement: { locationQuery: {}, locationOptions: [{ locationLink: '//location/x' }] } }), {}],
  ],
  'gvc.query-kind': [['takes a placement without a query', gvc({ staticPlacement: {} }), {}]],
  'deprecated.gvc-domain': [
    ['does not apply on the platform', gvc({ domain: 'a.example.com' }), {}, { where: 'server' }],
  ],
  'deprecated.gvc-tracer': [
    ['does not apply on the platform', gvc({ tracing: { tracer: {} } }), {}, { where: 'server' }],
  ],
});

test('the known locations of a GVC and its load balancer', () => {
  const record = gvc({ staticPlacement: placed('east', 'west'), loadBalancer: { dedicated: true } });
  expect(linkedLocations(record)).toEqual(['east', 'west']);
  expect(gvcLocations(record)).toEqual(new Set(['east', 'west']));
  expect(gvcLocations(gvc({ staticPlacement: { ...placed('east'), locationQuery: {} } }))).toBeUndefined();
  expect([hasDedicatedBalancer(record), hasDedicatedBalancer(gvc({ loadBalancer: { dedicated: 'true' } }))]).toEqual([
    true,
    false,
  ]);
});
