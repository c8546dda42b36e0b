import { expect } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { checkField, fieldRow, problemPaths } from '../harness/fieldRows.ts';
import { link, makeGvc, makeIdentity, makeSecret, makeWorkload, specOf } from '../harness/fixtures.ts';
import { at, itemsAt } from '../harness/place.ts';
import { type Part, parted, partOf, type Row, row } from '../harness/row.ts';
import { gvcWith } from '../harness/subjects.ts';
import { until, type Wire } from '../harness/wire.ts';

const gvc = gvcWith();
const otel = { sampling: 50, provider: { otel: { endpoint: 'collector.example.com:4317' } } };

// biome-ignore format: a row is a case
export const gvcRows: readonly Row[] = [
  fieldRow('gvc/staticPlacement', 'staticPlacement determines the locations of the GVC', gvc, 'spec/staticPlacement',
    { value: { locationLinks: [link.east] }, next: { locationLinks: [link.east, link.south] }, wrong: [] }),
  fieldRow('gvc/pullSecretLinks', 'pullSecretLinks links the secrets for images', gvc, 'spec/pullSecretLinks',
    { value: async (wire) => [await makeSecret(wire, 'docker')], next: [], wrong: { link: 'x' } }),
  fieldRow('gvc/domain', 'domain is a host name', gvc, 'spec/domain',
    { value: 'apps.example.com', next: 'more.example.com', wrong: ['a'] }),
  parted(
    'gvc/endpointNamingFormat',
    'endpointNamingFormat is one of three words',
    ...['default', 'legacy', 'org'].map(formatPart),
    partOf('endpointNamingFormat is org by default', async (wire) => {
      const created = await wire.ok('POST', 'gvc', { name: wire.name('gvc') });
      expect(at(created, 'spec/endpointNamingFormat')).toBe('org');
    }),
  ),
  fieldRow('gvc/tracing', 'tracing has a sampling rate and a provider', gvc, 'spec/tracing',
    { value: otel, next: { sampling: 60 }, wrong: 'all' }),
  fieldRow('gvc/sidecar', 'sidecar has the single key proxy', gvc, 'spec/sidecar',
    { value: { proxy: { excludedExternalAuth: [{ port: 8080 }] } },
      next: { proxy: { excludedExternalAuth: [{ port: 8081 }] } }, wrong: { other: {} } }),
  fieldRow('gvc/env', 'env is a list of names and values', gvc, 'spec/env',
    { value: [{ name: 'A', value: 'one' }], next: [{ name: 'A', value: 'two' }, { name: 'B', value: 'three' }],
      wrong: { A: 'one' } }),
  fieldRow('gvc/loadBalancer', 'loadBalancer holds the options of the balancer', gvc, 'spec/loadBalancer',
    { value: { dedicated: true }, next: { trustedProxies: 1 }, wrong: true }),
  row('gvc/keda', 'keda can be enabled, with an identity and secrets of the GVC', async (wire) => {
    const secret = await makeSecret(wire, 'opaque');
    const name = await makeGvc(wire, { keda: { enabled: true, secrets: [secret] } });
    const identityLink = await makeIdentity(wire, name);
    const patched = await wire.ok('PATCH', `gvc/${name}`, { spec: { keda: { identityLink } } });
    expect(at(patched, 'spec/keda')).toEqual({ enabled: true, secrets: [secret], identityLink });
    await wire.refused(400, 'PATCH', `gvc/${name}`, { spec: { keda: { enabled: 'maybe' } } });
  }),
  fieldRow('gvc/staticPlacement.locationLinks', 'locationLinks is a list of links, short ones stored in full', gvc,
    'spec/staticPlacement/locationLinks',
    { value: ['//location/aws-us-east-1'], stored: [link.east], next: [link.south], wrong: 'aws-us-east-1' }),
  row('gvc/staticPlacement.locationLinks existence', 'a link to a missing location is refused', async (wire) => {
      const spec = { staticPlacement: { locationLinks: ['//location/mars-north-1'] } };
      await wire.refused(400, 'POST', 'gvc', { name: wire.name('gvc'), spec });
  }),
  row('gvc/staticPlacement.locationQuery', 'locationQuery is a query that the server evaluates', async (wire) => {
      const locationQuery = { kind: 'location', spec: { terms: [{ property: 'provider', value: 'gcp' }] } };
      const name = wire.name('gvc');
      const created = await wire.ok('POST', 'gvc', { name, spec: { staticPlacement: { locationQuery } } });
      expect(at(created, 'spec/staticPlacement/locationQuery')).toMatchObject({
        kind: 'location',
        spec: { match: 'all', terms: [{ op: '=', property: 'provider', value: 'gcp' }] },
      });
      const all = itemsAt(await wire.ok('POST', 'location/-query', locationQuery), 'items').map((item) =>
        String(item['name']),
      );
      expect(all.length).toBeGreaterThan(1);
      const workload = await makeWorkload(wire, name, specOf('standard'));
      const deployments = await until(
        wire,
        () => wire.get(`${workload}/deployment`),
        (list) => itemsAt(list, 'items').length === all.length,
      );
      expect(itemsAt(deployments, 'items').map((item) => String(item['name']))).toEqual(expect.arrayContaining(all));
  }),
  ...queryFieldRows(),
  ...['locationLink', 'routingTier', 'latencyOffsetMs', 'latencyToleranceMs'].map(optionRow),
  fieldRow('gvc/tracing.sampling', 'sampling is a percentage',
    gvcTraced(), 'spec/tracing/sampling', { value: 10, next: 20, wrong: 101 }),
  fieldRow('gvc/tracing.customTags', 'customTags is an object',
    gvcTraced(), 'spec/tracing/customTags',
    { value: { stage: { literal: { value: 'test' } } }, next: { team: { literal: { value: 'shop' } } },
      wrong: 'stage' }),
  parted(
    'gvc/tracing.provider',
    'provider holds otel, the vendor tracer, or controlplane',
    ['provider may be otel with an endpoint', (wire) => provider(wire, { otel: { endpoint: 'collector:4317' } })],
    partOf('provider may be the vendor tracer with endpoint and credentials', async (wire) => {
      const credentials = await makeSecret(wire, 'opaque');
      await provider(wire, { tracer: { endpoint: 'collector:443', credentials } });
    }),
    ['provider may be controlplane, an empty object', (wire) => provider(wire, { controlplane: {} })],
    partOf('provider has one member, not two', async (wire) => {
      const both = { otel: { endpoint: 'collector:4317' }, controlplane: {} };
      const spec = { tracing: { sampling: 1, provider: both } };
      await wire.refused(400, 'POST', 'gvc', { name: wire.name('gvc'), spec });
    }),
  ),
  row('gvc/tracing deprecated member', 'the tracer directly below tracing has the same shape', async (wire) => {
    const tracer = { endpoint: 'collector:443', credentials: await makeSecret(wire, 'opaque') };
    const name = wire.name('gvc');
    await wire.ok('POST', 'gvc', { name, spec: { tracing: { sampling: 5, tracer } } });
    expect(at(await wire.get(`gvc/${name}`), 'spec/tracing')).toMatchObject({ sampling: 5, tracer });
  }),
  fieldRow('gvc/loadBalancer.dedicated', 'dedicated is a boolean', gvc, 'spec/loadBalancer/dedicated',
    { value: true, next: false, wrong: 'perhaps' }),
  fieldRow('gvc/loadBalancer.multiZone', 'multiZone can be enabled', gvc, 'spec/loadBalancer/multiZone',
    { value: { enabled: true }, next: { enabled: false }, wrong: true }),
  fieldRow('gvc/loadBalancer.trustedProxies', 'trustedProxies is 0, 1 or 2', gvc, 'spec/loadBalancer/trustedProxies',
    { value: 2, next: 1, wrong: 3 }),
  fieldRow('gvc/loadBalancer.redirect', 'redirect has addresses for server errors and for 401',
    gvcWith({ loadBalancer: { dedicated: true } }), 'spec/loadBalancer/redirect',
    { value: { class: { status5xx: 'https://sorry.example.com' } },
      next: { class: { status401: 'https://login.example.com/?from=%REQ(:path)%' } },
      wrong: { class: { status5xx: 5 } } }),
  fieldRow('gvc/loadBalancer.ipSet', 'ipSet links an IP set', gvc, 'spec/loadBalancer/ipSet', {
    value: async (wire) => {
      const name = wire.name('ipset');
      await wire.ok('POST', 'ipset', { name });
      return `/org/local/ipset/${name}`;
    },
  }),
  row('gvc/status', 'the status of a GVC is an object', async (wire) => {
    const created = await wire.ok('POST', 'gvc', { name: wire.name('gvc') });
    expect(created['status']).toEqual({});
  }),
];

function formatPart(format: string): Part {
  const check = (wire: Wire): Promise<void> =>
    checkField(wire, gvc, 'spec/endpointNamingFormat', { value: format, wrong: 'other' });
  return [`endpointNamingFormat may be ${format}`, check];
}

function gvcTraced(): ReturnType<typeof gvcWith> {
  return gvcWith({ tracing: otel });
}

async function provider(wire: Wire, value: JsonObject): Promise<void> {
  const name = wire.name('gvc');
  await wire.ok('POST', 'gvc', { name, spec: { tracing: { sampling: 5, provider: value } } });
  expect(at(await wire.get(`gvc/${name}`), 'spec/tracing/provider')).toEqual(value);
}

function optionRow(field: string): Row {
  const statement = `an item of locationOptions has ${field}`;
  return row(`gvc/staticPlacement.locationOptions.${field}`, statement, async (wire) => {
    const option = { locationLink: link.east, routingTier: 1, latencyOffsetMs: -5, latencyToleranceMs: 20 };
    const name = wire.name('gvc');
    const staticPlacement = { locationLinks: [link.east], locationOptions: [option] };
    await wire.ok('POST', 'gvc', { name, spec: { staticPlacement } });
    const [shown = {}] = itemsAt(await wire.get(`gvc/${name}`), 'spec/staticPlacement/locationOptions');
    expect(at(shown, field)).toBe(at(option, field));
    const wrong = [{ ...option, [field]: [] }];
    const error = await wire.refused(400, 'PATCH', `gvc/${name}`, {
      spec: { staticPlacement: { locationOptions: wrong } },
    });
    expect(problemPaths(error)).toContain(field);
  });
}

/** Rows for the members of a stored query, each of which is read back as it was sent. */
function queryFieldRows(): readonly Row[] {
  const term = { op: '=', property: 'region', value: 'us-east-1' };
  const queries: Readonly<Record<string, readonly [statement: string, query: JsonObject, wrong?: JsonObject]>> = {
    kind: ['kind of the query is location', { kind: 'location', spec: { terms: [term] } }, { kind: 'group' }],
    'spec.match': [
      'match is all, none or any',
      { spec: { match: 'none', terms: [term] } },
      { spec: { match: 'some' } },
    ],
    'spec.terms.op': [
      'a term has an op',
      { spec: { match: 'all', terms: [{ ...term, op: '!=' }] } },
      oneTerm({ ...term, op: '?' }),
    ],
    'spec.terms.property': ['a term may select a property', oneTerm(term), oneTerm({ ...term, tag: 'both' })],
    'spec.terms.rel': [
      'a term may select a rel',
      oneTerm({ op: '=', rel: 'gvc', value: 'shop' }),
      oneTerm({ rel: 1, value: 'x' }),
    ],
    'spec.terms.tag': [
      'a term may select a tag',
      oneTerm({ op: '=', tag: 'a/b.c', value: 'x' }),
      oneTerm({ tag: [], value: 'x' }),
    ],
    'spec.terms.value': [
      'the value of a term may be a number or a boolean',
      oneTerm({ op: '=', tag: 'on', value: true }),
    ],
    'spec.sort': [
      'sort has by and order',
      { spec: { terms: [term], sort: { by: 'name', order: 'asc' } } },
      { spec: { terms: [term], sort: { by: 'name', order: 'up' } } },
    ],
  };
  const rows = Object.entries(queries).map(([field, [statement, query, wrong]]) =>
    row(`gvc/staticPlacement.locationQuery.${field}`, statement, (wire) =>
      checkField(wire, gvc, 'spec/staticPlacement/locationQuery', { value: query }).then(async () => {
        if (wrong === undefined) return;
        const spec = { staticPlacement: { locationQuery: wrong } };
        await wire.refused(400, 'POST', 'gvc', { name: wire.name('gvc'), spec });
      }),
    ),
  );
  const contextRow = row(
    'gvc/staticPlacement.locationQuery.context',
    'the context of a query is set by the server: a sent one is neither refused nor stored',
    async (wire) => {
      const locationQuery = { context: { mine: 'x' }, spec: { terms: [term] } };
      const created = await wire.ok('POST', 'gvc', {
        name: wire.name('gvc'),
        spec: { staticPlacement: { locationQuery } },
      });
      expect(at(created, 'spec/staticPlacement/locationQuery/context/mine')).toBeUndefined();
    },
  );
  return [...rows, contextRow];
}

function oneTerm(term: JsonObject): JsonObject {
  return { spec: { match: 'all', terms: [term] } };
}
