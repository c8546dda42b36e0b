import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json/json.ts';
import { isObject } from '../../src/base/json/json.ts';
import { shapeOf } from '../../src/kinds/shapeOf.ts';
import type { Plan } from '../../src/plan/model/plan.ts';
import { creatableKinds, isCreatableKind } from '../../src/schema/record/kinds.ts';
import type { Shape } from '../../src/schema/shape/shape.ts';
import { changeOf, declare, foreign, plan } from './world.ts';

type Outcome = 'noted' | 'refused';

const secret = ['//secret/none', 'secret/none'] as const;
const workload = ['//gvc/g/workload/none', 'workload/g/none'] as const;
const identity = ['//gvc/g/identity/none', 'identity/g/none'] as const;
const location = ['//location/none', 'location/none'] as const;
const cloudaccount = ['//cloudaccount/none', 'cloudaccount/none'] as const;
const secretUri = ['scheme://secret/none.key', 'secret/none'] as const;

/**
 * Every path of every kind that may name another resource (`*`: an item of a list or a value of a map), with a link to a
 * missing resource, and its effect: if the platform needs the target, the plan is refused; otherwise it has a note.
 */
const table: readonly (readonly [string, readonly [string, string], Outcome])[] = [
  ['cloudaccount data.secretLink', secret, 'noted'],
  ['domain spec.gvcLink', ['//gvc/none', 'gvc/none'], 'noted'],
  ['domain spec.workloadLink', workload, 'refused'],
  ['domain spec.ports.*.routes.*.workloadLink', workload, 'noted'],
  ['domain spec.ports.*.routes.*.mirror.*.workloadLink', workload, 'noted'],
  ['domain spec.ports.*.routes.*.canaries.*.workloadLink', workload, 'noted'],
  ['domain spec.ports.*.tls.clientCertificate.secretLink', secret, 'refused'],
  ['domain spec.ports.*.tls.serverCertificate.secretLink', secret, 'refused'],
  ['group memberLinks.*', ['//user/none@example.com', 'user/none@example.com'], 'refused'],
  ['group memberLinks.*', ['//serviceaccount/none', 'serviceaccount/none'], 'refused'],
  ['gvc spec.staticPlacement.locationLinks.*', location, 'refused'],
  ['gvc spec.staticPlacement.locationOptions.*.locationLink', location, 'refused'],
  ['gvc spec.pullSecretLinks.*', secret, 'refused'],
  ['gvc spec.aliasWorkloadLink', workload, 'noted'],
  ['gvc spec.tracing.provider.tracer.credentials', secret, 'refused'],
  ['gvc spec.tracing.tracer.credentials', secret, 'refused'],
  ['gvc spec.sidecar.proxy.volumes.*.uri', secretUri, 'noted'],
  ['gvc spec.env.*.value', secretUri, 'noted'],
  ['gvc spec.loadBalancer.ipSet', ['//ipset/none', 'ipset/none'], 'noted'],
  ['gvc spec.keda.identityLink', identity, 'noted'],
  ['gvc spec.keda.secrets.*', secret, 'noted'],
  ['identity aws.cloudAccountLink', cloudaccount, 'refused'],
  ['identity gcp.cloudAccountLink', cloudaccount, 'refused'],
  ['identity azure.cloudAccountLink', cloudaccount, 'refused'],
  ['identity ngs.cloudAccountLink', cloudaccount, 'refused'],
  ['identity networkResources.*.agentLink', ['//agent/none', 'agent/none'], 'refused'],
  ['ipset spec.link', workload, 'noted'],
  ['ipset spec.link', ['//gvc/none', 'gvc/none'], 'noted'],
  ['ipset spec.locations.*.name', location, 'refused'],
  ['policy targetLinks.*', workload, 'noted'],
  ['policy targetLinks.*', ['//user/none@example.com', 'user/none@example.com'], 'noted'],
  ['policy bindings.*.principalLinks.*', ['//group/none', 'group/none'], 'noted'],
  ['policy bindings.*.principalLinks.*', identity, 'noted'],
  ['workload spec.identityLink', identity, 'refused'],
  ['workload spec.containers.*.env.*.value', secretUri, 'noted'],
  ['workload spec.containers.*.volumes.*.uri', secretUri, 'noted'],
  ['workload spec.containers.*.volumes.*.uri', ['scheme://volumeset/none', 'volumeset/g/none'], 'refused'],
  ['workload spec.firewallConfig.internal.inboundAllowWorkload.*', workload, 'noted'],
  ['workload spec.firewallConfig.internal.inboundAllowWorkload.*', ['//agent/none', 'agent/none'], 'noted'],
  ['workload spec.defaultOptions.autoscaling.keda.triggers.*.authenticationRef.name', ['none', 'secret/none'], 'noted'],
  ['workload spec.localOptions.*.location', ['none', 'location/none'], 'refused'],
  ['workload spec.localOptions.*.autoscaling.keda.triggers.*.authenticationRef.name', secret, 'noted'],
  ['workload spec.loadBalancer.direct.ipSet', ['//ipset/none', 'ipset/none'], 'noted'],
  ['workload spec.sidecar.proxy.volumes.*.uri', secretUri, 'noted'],
];

/** For each path of the schema, a record with a text there and nothing else. */
const places: ReadonlyMap<string, (text: string) => JsonObject> = new Map(
  creatableKinds.flatMap((kind) => placesIn(shapeOf(kind), `${kind} `, recordWith)),
);

test('the table contains every path of the schema', () => {
  expect([...new Set(table.map(([place]) => place))].toSorted()).toEqual([...places.keys()].toSorted());
});

test.each(table)(
  '%s: %j is %s if its target is missing, and accepted if it exists',
  (place, [link, target], outcome) => {
    const missing = outcomesOf(planned(place, link, []), place);
    expect(missing.notes).toEqual(outcome === 'noted' ? [expect.stringContaining(`refers to ${target}, which`)] : []);
    expect(missing.refused).toEqual(outcome === 'refused' ? [expect.stringContaining(target)] : []);

    expect(outcomesOf(planned(place, link, [target]), place)).toEqual({ notes: [], refused: [] });
  },
);

test.each([
  ['workload spec.firewallConfig.internal.inboundAllowWorkload.*', 'scheme://internal/keda'],
  ['workload spec.containers.*.env.*.value', 'any text'],
  ['workload spec.containers.*.volumes.*.uri', 's3://bucket'],
  // Tasks are not read, so it is unknown which exist.
  ['policy targetLinks.*', '//task/7'],
])('%s: %s names no resource that could be missing', (place, text) => {
  expect(outcomesOf(planned(place, text, []), place)).toEqual({ notes: [], refused: [] });
});

/** A plan of a resource of the kind with that link; `there` are the existing resources. */
function planned(place: string, text: string, there: readonly string[]): Plan {
  const record = places.get(place)?.(text) ?? {};
  return plan(
    [declare(idOf(place), record)],
    ['gvc/g', ...there].map((id) => foreign(id)),
    { adopt: true },
  );
}

function outcomesOf(made: Plan, place: string) {
  const { notes, refusals } = changeOf(made, idOf(place));
  const missing = refusals.filter(({ code }) => code === 'reference.missing');
  return { notes, refused: missing.map(({ message }) => message) };
}

function idOf(place: string): string {
  const [kind = ''] = place.split(' ');
  const inGvc = kind === 'workload' || kind === 'identity';
  return kind === 'gvc' ? 'gvc/g' : inGvc ? `${kind}/g/x` : `${isCreatableKind(kind) ? kind : ''}/x`;
}

type MakeRecord = (text: string) => JsonObject;

function placesIn(
  shape: Shape,
  path: string,
  record: (value: JsonValue) => JsonObject,
): readonly (readonly [string, MakeRecord])[] {
  const { facts } = shape;
  if (facts.responseOnly === true) return [];
  const inside = (name: string): string => (path.endsWith(' ') ? `${path}${name}` : `${path}.${name}`);
  switch (shape.type) {
    case 'scalar':
      return facts.link === undefined && facts.uri === undefined ? [] : [[path, record]];
    case 'object':
      return [...shape.fields].flatMap(([name, field]) =>
        placesIn(field, inside(name), (value) => record({ [name]: value })),
      );
    case 'map':
      return placesIn(shape.value, inside('*'), (value) => record({ key: value }));
    case 'list':
      return placesIn(shape.item, inside('*'), (value) => record([value]));
    case 'free':
      return [];
  }
}

function recordWith(value: JsonValue): JsonObject {
  return isObject(value) ? value : {};
}

test('a new sub-domain in the DNS mode ns needs a parent domain (platform/domain.names)', () => {
  const sub = (spec: JsonObject) => declare('domain/a.b.example.com', { spec }, {}, 7);
  const told = (made: Plan) => changeOf(made, 'domain/a.b.example.com').refusals.map(({ message }) => message);
  expect(told(plan([sub({ dnsMode: 'ns' })], []))).toEqual([
    'stack.yaml:7:1: the sub-domain a.b.example.com is in the DNS mode ns, which needs its apex domain in the org; ' +
      'no domain above it (example.com) is declared or live',
  ]);
  expect(told(plan([sub({ dnsMode: 'ns' }), declare('domain/example.com')], []))).toEqual([]);
  expect(told(plan([sub({ dnsMode: 'ns' })], [foreign('domain/example.com')]))).toEqual([]);
  expect(told(plan([sub({ dnsMode: 'cname' })], []))).toEqual([]);
});
