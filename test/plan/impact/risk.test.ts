import { describe, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '../../../src/base/json/json.ts';
import { kindFacts } from '../../../src/kinds/kindFacts.ts';
import { shapeOf, variantsOf } from '../../../src/kinds/shapeOf.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import { fieldRisk, planRisk } from '../../../src/plan/consequences/risk.ts';
import type { FieldChange } from '../../../src/plan/model/change.ts';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import { type Risk, risks } from '../../../src/schema/facts/risk.ts';
import type { RiskFact } from '../../../src/schema/facts/riskFacts.ts';
import { type Kind, writtenKinds } from '../../../src/schema/record/kinds.ts';
import type { Shape } from '../../../src/schema/shape/shape.ts';
import {
  changeOf,
  closure,
  codes,
  declare,
  foreign,
  live,
  plan,
  snapshot,
  volumeset,
  volumesetSpec,
  workload,
} from '../world.ts';

const context = { org: 'o', gvc: 'g' };

function riskOf(kind: Kind, field: FieldChange): Risk {
  return fieldRisk(shapeOf(kind), field, context);
}

describe('every field has a risk class', () => {
  test.each(writtenKinds)('%s: each writable leaf has a class, its own or that of its parent', (kind) => {
    const variant = variantsOf(kind);
    const records: readonly (JsonObject | undefined)[] =
      variant === undefined ? [undefined] : Object.keys(variant.definitions).map((name) => ({ [variant.by]: name }));
    for (const record of records) expect(leavesWithout(shapeOf(kind, record), undefined, kind)).toEqual([]);
  });

  test('every risk class of a field is a known one', () => {
    const used = new Set(writtenKinds.flatMap((kind) => facts(shapeOf(kind))));
    for (const fact of used) {
      const classes = typeof fact === 'string' ? [fact] : [fact.more, fact.less];
      for (const each of classes) expect(risks).toContain(each);
    }
  });

  function leavesWithout(shape: Shape, inherited: RiskFact | undefined, path: string): readonly string[] {
    if (shape.facts.responseOnly === true) return [];
    const fact = shape.facts.risk ?? inherited;
    switch (shape.type) {
      case 'object':
        return [...shape.fields].flatMap(([name, field]) => leavesWithout(field, fact, `${path}.${name}`));
      case 'map':
        return leavesWithout(shape.value, fact, `${path}.*`);
      case 'list':
        return leavesWithout(shape.item, fact, `${path}.*`);
      case 'scalar':
      case 'free':
        return fact === undefined ? [path] : [];
    }
  }

  function facts(shape: Shape): readonly RiskFact[] {
    const own = shape.facts.risk === undefined ? [] : [shape.facts.risk];
    if (shape.type === 'object') return [...own, ...[...shape.fields.values()].flatMap(facts)];
    if (shape.type === 'map') return [...own, ...facts(shape.value)];
    return shape.type === 'list' ? [...own, ...facts(shape.item)] : own;
  }
});

const location = (name: string): string => `//location/${name}`;
const binding = (permissions: readonly string[], principals: readonly string[]): JsonObject => ({
  permissions,
  principalLinks: principals.map((name) => `//group/${name}`),
});

/** Written by hand: the effect of each change on running workloads (issue, "Risk"). */
// biome-ignore format: one case a line
const table: readonly (readonly [Kind, string, FieldChange['old'], FieldChange['new'], Risk])[] = [
  ['workload', 'description', 'a', 'b', 'metadata'],
  ['workload', 'tags."a.b"', '1', undefined, 'metadata'],
  ['workload', 'lifecycle.retain', false, true, 'metadata'],
  ['workload', 'spec.containers.main.image', 'a:1', 'a:2', 'rolling-restart'],
  ['workload', 'spec.containers.main.env.A.value', '1', '2', 'rolling-restart'],
  ['workload', 'spec.type', 'serverless', 'standard', 'downtime'],
  ['workload', 'spec.identityLink', '//identity/a', '//identity/b', 'exposure'],
  ['workload', 'spec.identityLink', undefined, '//identity/b', 'exposure'],
  ['workload', 'spec.identityLink', '//identity/a', undefined, 'endpoint-change'],
  ['workload', 'spec.containers.main.cpu', '100m', '0.2', 'cost-up'],
  ['workload', 'spec.containers.main.cpu', '1', '100m', 'capacity-down'],
  ['workload', 'spec.containers.main.cpu', '0.1', '100m', 'none'],
  ['workload', 'spec.containers.main.memory', '1Gi', '1000Mi', 'capacity-down'],
  ['workload', 'spec.containers.main.memory', '1Gi', '2Gi', 'cost-up'],
  // The platform defaults cpu to 50m, so a removed container takes 950m with it.
  ['workload', 'spec.containers.side.cpu', '1', undefined, 'capacity-down'],
  ['workload', 'spec.containers.main.gpu.nvidia.quantity', undefined, 2, 'cost-up'],
  ['workload', 'spec.containers.main.gpu.nvidia.model', 't4', 'a10g', 'reschedule'],
  ['workload', 'spec.containers.main.ports.8080.protocol', 'http', 'http2', 'endpoint-change'],
  ['workload', 'spec.containers.main.volumes."/d".recoveryPolicy', 'retain', 'recycle', 'data-loss'],
  ['workload', 'spec.containers.main.volumes."/d".recoveryPolicy', 'recycle', 'retain', 'metadata'],
  ['workload', 'spec.containers.main.volumes."/d".uri', 'scheme://volumeset/a', 'scheme://volumeset/b', 'downtime'],
  ['workload', 'spec.containers.main.volumes."/d".uri', 'scheme://volumeset/a', undefined, 'downtime'],
  ['workload', 'spec.containers.main.volumes."/d".uri', undefined, 'scheme://volumeset/a', 'rolling-restart'],
  ['workload', 'spec.firewallConfig.external.inboundAllowCIDR', undefined, ['0.0.0.0/0'], 'exposure'],
  ['workload', 'spec.firewallConfig.external.inboundAllowCIDR', ['10.0.0.0/8'], ['10.0.0.0/8', '9.9.9.9'], 'exposure'],
  ['workload', 'spec.firewallConfig.external.inboundAllowCIDR', ['10.0.0.0/8'], ['0.0.0.0/0'], 'exposure'],
  ['workload', 'spec.firewallConfig.external.inboundAllowCIDR', ['0.0.0.0/0'], ['10.0.0.0/8'], 'endpoint-change'],
  ['workload', 'spec.firewallConfig.external.inboundAllowCIDR', ['10.0.0.0/8'], ['10.9.0.0/16'], 'endpoint-change'],
  ['workload', 'spec.firewallConfig.external.inboundAllowCIDR', ['fd00::/8'], ['FD00:1::/32'], 'endpoint-change'],
  ['workload', 'spec.firewallConfig.external.inboundAllowCIDR', ['fd00:1::/32'], ['fd00::/8'], 'exposure'],
  ['workload', 'spec.firewallConfig.external.inboundAllowCIDR', ['10.0.0.0/8'], ['10.0.0.0/8', '10.1.0.0/16'], 'none'],
  ['workload', 'spec.firewallConfig.external.inboundAllowCIDR', ['10.0.0.0/8', '9.9.9.9'], ['9.9.9.9/32'],
    'endpoint-change'],
  ['workload', 'spec.firewallConfig.external.inboundAllowCIDR', ['0.0.0.0/0'], [], 'downtime'],
  ['workload', 'spec.firewallConfig.external.inboundAllowCIDR', ['0.0.0.0/0'], undefined, 'downtime'],
  ['workload', 'spec.firewallConfig.external.inboundBlockedCIDR', undefined, ['9.0.0.0/8'], 'endpoint-change'],
  ['workload', 'spec.firewallConfig.external.inboundBlockedCIDR', ['9.0.0.0/8'], ['9.9.0.0/16'], 'exposure'],
  ['workload', 'spec.firewallConfig.external.inboundBlockedCIDR', ['9.0.0.0/8'], undefined, 'exposure'],
  ['workload', 'spec.firewallConfig.external.outboundAllowCIDR', undefined, ['0.0.0.0/0'], 'exposure'],
  ['workload', 'spec.firewallConfig.external.outboundAllowHostname', ['a.com'], ['a.com', 'b.com'], 'exposure'],
  ['workload', 'spec.firewallConfig.external.outboundAllowHostname', ['a.com', 'b.com'], ['a.com'], 'endpoint-change'],
  ['workload', 'spec.firewallConfig.external.outboundAllowPort.tcp+443.number', undefined, 443, 'exposure'],
  ['workload', 'spec.firewallConfig.external.outboundAllowPort.tcp+443.number', 443, undefined, 'endpoint-change'],
  ['workload', 'spec.firewallConfig.external.http.inboundHeaderFilter.x.key', undefined, 'x', 'endpoint-change'],
  ['workload', 'spec.firewallConfig.external.http.inboundHeaderFilter.x.key', 'x', undefined, 'exposure'],
  ['workload', 'spec.firewallConfig.external.http.inboundHeaderFilter.x.allowedValues', undefined, ['a'],
    'endpoint-change'],
  ['workload', 'spec.firewallConfig.external.http.inboundHeaderFilter.x.allowedValues', ['a'], ['a', 'b'], 'exposure'],
  ['workload', 'spec.firewallConfig.external.http.inboundHeaderFilter.x.blockedValues', ['a', 'b'], ['a'], 'exposure'],
  ['workload', 'spec.firewallConfig.internal.inboundAllowType', undefined, 'same-gvc', 'exposure'],
  ['workload', 'spec.firewallConfig.internal.inboundAllowType', 'same-org', 'same-gvc', 'endpoint-change'],
  ['workload', 'spec.firewallConfig.internal.inboundAllowType', 'same-gvc', undefined, 'downtime'],
  ['workload', 'spec.firewallConfig.internal.inboundAllowWorkload', ['//gvc/g/workload/a'], ['/org/o/gvc/g/workload/a'],
    'none'],
  ['workload', 'spec.firewallConfig.internal.inboundAllowWorkload', undefined, ['//gvc/g/workload/a'], 'exposure'],
  ['workload', 'spec.defaultOptions.autoscaling.minScale', 3, 2, 'capacity-down'],
  ['workload', 'spec.defaultOptions.autoscaling.minScale', 2, 3, 'cost-up'],
  // The value that the platform chose is unknown; it may be smaller.
  ['workload', 'spec.defaultOptions.autoscaling.maxScale', undefined, 3, 'capacity-down'],
  ['workload', 'spec.defaultOptions.autoscaling.maxScale', 3, 0, 'downtime'],
  ['workload', 'spec.defaultOptions.autoscaling.maxScale', 0, 3, 'cost-up'],
  // The first request waits for a replica and is answered.
  ['workload', 'spec.defaultOptions.autoscaling.minScale', 1, 0, 'capacity-down'],
  ['workload', 'spec.localOptions.aws-eu-central-1.autoscaling.maxScale', 9, 4, 'capacity-down'],
  ['workload', 'spec.defaultOptions.autoscaling.target', 50, 90, 'capacity-down'],
  ['workload', 'spec.defaultOptions.autoscaling.target', 90, 50, 'cost-up'],
  ['workload', 'spec.defaultOptions.autoscaling.metric', 'cpu', 'rps', 'capacity-down'],
  ['workload', 'spec.defaultOptions.suspend', undefined, true, 'downtime'],
  ['workload', 'spec.defaultOptions.suspend', true, false, 'cost-up'],
  ['workload', 'spec.defaultOptions.spot', false, true, 'capacity-down'],
  ['workload', 'spec.defaultOptions.capacityAI', true, false, 'cost-up'],
  ['workload', 'spec.defaultOptions.timeoutSeconds', 5, 30, 'rolling-restart'],
  ['workload', 'spec.extras.affinity', undefined, { a: 1 }, 'reschedule'],
  ['workload', 'spec.job.schedule', '* * * * *', '0 * * * *', 'reschedule'],
  ['workload', 'spec.job.historyLimit', 5, 6, 'metadata'],
  ['workload', 'spec.loadBalancer.direct.enabled', true, false, 'downtime'],
  ['workload', 'spec.loadBalancer.direct.enabled', undefined, true, 'exposure'],
  ['workload', 'spec.loadBalancer.direct.ports.22+TCP.externalPort', undefined, 22, 'exposure'],
  ['workload', 'spec.loadBalancer.direct.ports.22+TCP.externalPort', 22, undefined, 'downtime'],
  ['workload', 'spec.loadBalancer.direct.ipSet', '//ipset/a', '//ipset/b', 'endpoint-change'],
  ['workload', 'tags."scheme/protected"', 'true', undefined, 'exposure'],
  ['workload', 'tags."scheme/protected"', 'true', 'false', 'exposure'],
  ['workload', 'tags."scheme/protected"', undefined, 'true', 'metadata'],
  ['workload', 'spec.somethingNew', 1, 2, 'rolling-restart'],
  ['gvc', 'spec.env.A.value', '1', '2', 'rolling-restart'],
  ['gvc', 'spec.staticPlacement.locationLinks', [location('a')], [location('a'), location('b')], 'cost-up'],
  ['gvc', 'spec.staticPlacement.locationLinks', [location('a'), location('b')], [location('b')], 'capacity-down'],
  ['gvc', 'spec.staticPlacement.locationLinks', [location('a')], [location('b')], 'capacity-down'],
  ['gvc', 'spec.staticPlacement.locationLinks', [location('a')], undefined, 'downtime'],
  ['gvc', 'spec.staticPlacement.locationQuery.spec.match', 'any', 'all', 'capacity-down'],
  ['gvc', 'spec.staticPlacement.locationLinks', ['/org/o/location/a'], [location('a')], 'none'],
  ['gvc', 'spec.pullSecretLinks', ['//secret/a'], undefined, 'capacity-down'],
  ['gvc', 'spec.pullSecretLinks', undefined, ['//secret/a'], 'rolling-restart'],
  ['gvc', 'spec.keda.enabled', true, undefined, 'capacity-down'],
  ['gvc', 'spec.loadBalancer.dedicated', undefined, true, 'cost-up'],
  ['gvc', 'spec.loadBalancer.dedicated', true, false, 'endpoint-change'],
  ['gvc', 'spec.endpointNamingFormat', 'default', 'org', 'endpoint-change'],
  ['domain', 'spec.ports.443.routes."/".workloadLink', '//gvc/g/workload/a', '//gvc/g/workload/b', 'endpoint-change'],
  ['domain', 'spec.ports.443.routes."/x".workloadLink', undefined, '//gvc/g/workload/b', 'exposure'],
  ['domain', 'spec.ports.443.routes."/x".workloadLink', '//gvc/g/workload/b', undefined, 'downtime'],
  ['domain', 'spec.workloadLink', '//gvc/g/workload/a', '//gvc/g/workload/b', 'endpoint-change'],
  ['domain', 'spec.acceptAllHosts', undefined, true, 'exposure'],
  ['domain', 'spec.acceptAllHosts', true, false, 'endpoint-change'],
  ['domain', 'spec.ports.443.tls.minProtocolVersion', undefined, 'TLSV1_0', 'exposure'],
  ['domain', 'spec.ports.443.tls.minProtocolVersion', 'TLSV1_0', 'TLSV1_2', 'endpoint-change'],
  ['domain', 'spec.ports.443.tls.clientCertificate.secretLink', '//secret/a', undefined, 'exposure'],
  ['domain', 'spec.ports.443.tls.clientCertificate.secretLink', '//secret/a', '//secret/b', 'endpoint-change'],
  ['domain', 'spec.ports.443.cors.allowCredentials', false, true, 'exposure'],
  ['domain', 'description', 'a', 'b', 'metadata'],
  ['volumeset', 'spec.initialCapacity', 10, 20, 'cost-up'],
  ['volumeset', 'spec.initialCapacity', 20, 10, 'capacity-down'],
  ['volumeset', 'spec.autoscaling.maxCapacity', undefined, 100, 'cost-up'],
  ['volumeset', 'spec.autoscaling.maxCapacity', 100, undefined, 'capacity-down'],
  ['volumeset', 'spec.performanceClass', 'general-purpose-ssd', 'high-throughput-ssd', 'data-loss'],
  ['volumeset', 'spec.snapshots.createFinalSnapshot', undefined, false, 'data-loss'],
  ['volumeset', 'spec.snapshots.schedule', undefined, '0 * * * *', 'metadata'],
  ['secret', 'data', { sensitive: true, changed: true }, { sensitive: true, changed: true }, 'rolling-restart'],
  ['identity', 'aws.roleName', 'a', 'b', 'exposure'],
  ['identity', 'aws.policyRefs', ['a'], ['a', 'b'], 'exposure'],
  ['identity', 'aws.policyRefs', ['a', 'b'], ['a'], 'endpoint-change'],
  ['identity', 'gcp.bindings.x.roles', ['roles/a'], undefined, 'endpoint-change'],
  ['identity', 'ngs.pub.deny', ['a'], undefined, 'exposure'],
  ['identity', 'ngs.pub.deny', undefined, ['a'], 'endpoint-change'],
  ['identity', 'ngs.subs', 10, undefined, 'exposure'],
  ['identity', 'networkResources.db.FQDN', 'a', 'b', 'exposure'],
  ['identity', 'networkResources.db.FQDN', 'a', undefined, 'endpoint-change'],
  ['ipset', 'spec.locations.aws-eu-central-1.name', location('a'), undefined, 'endpoint-change'],
  ['ipset', 'spec.locations.aws-eu-central-1.name', undefined, location('a'), 'cost-up'],
  ['ipset', 'spec.link', '//gvc/a', '//gvc/b', 'endpoint-change'],
  ['policy', 'bindings', [], [{ permissions: ['view'] }], 'exposure'],
  ['policy', 'bindings', [{ permissions: ['view'] }], undefined, 'endpoint-change'],
  ['policy', 'bindings', [binding(['view'], ['a'])], [binding(['view'], ['b', 'a'])], 'exposure'],
  ['policy', 'bindings', [binding(['view'], ['a'])], [binding(['edit', 'view'], ['a'])], 'exposure'],
  ['policy', 'bindings', [binding(['edit', 'view'], ['a', 'b'])], [binding(['view'], ['b'])], 'endpoint-change'],
  ['policy', 'bindings', [binding(['edit', 'view'], ['a'])], [binding(['view', 'edit'], ['a'])], 'none'],
  ['policy', 'target', undefined, 'all', 'exposure'],
  ['policy', 'target', 'all', undefined, 'endpoint-change'],
  ['policy', 'targetLinks', ['//secret/a'], ['//secret/a', '//secret/b'], 'exposure'],
  ['policy', 'targetQuery.spec.match', 'all', 'any', 'exposure'],
  ['policy', 'description', 'a', 'b', 'metadata'],
  ['group', 'memberLinks', [], ['//user/a@example.com'], 'exposure'],
  ['group', 'memberLinks', ['//user/a@example.com'], [], 'endpoint-change'],
  ['group', 'identityMatcher.expression', 'a', 'b', 'exposure'],
  ['org', 'spec.authConfig.samlOnly', true, false, 'exposure'],
  ['location', 'spec.enabled', true, false, 'capacity-down'],
  ['org', 'spec.observability.logsRetentionDays', undefined, 7, 'data-loss'],
  ['org', 'spec.observability.logsRetentionDays', 7, 90, 'cost-up'],
];

test.each(table)('a change of %s %s from %j to %j can do: %s', (kind, path, old, next, risk) => {
  const field = { path, ...(old === undefined ? {} : { old }), ...(next === undefined ? {} : { new: next }) };
  expect(riskOf(kind, field)).toBe(risk);
});

describe('the risk of a change is the worst of its effects', () => {
  const web = (image: string, cpu = '50m'): JsonObject => ({
    spec: { type: 'standard', containers: [{ name: 'main', image, cpu, memory: '128Mi' }] },
  });
  const gvc = declare('gvc/g', {});

  test('of its fields', () => {
    const made = plan(
      [gvc, declare('workload/g/web', web('b', '25m'))],
      [live('gvc/g'), live('workload/g/web', web('a'))],
    );
    const change = changeOf(made, 'workload/g/web');
    expect(change.fields.map(({ path, risk }) => [path, risk])).toEqual([
      ['spec.containers.main.image', 'rolling-restart'],
      ['spec.containers.main.cpu', 'capacity-down'],
    ]);
    expect(change.risk).toBe('capacity-down');
    expect(planRisk(made.changes)).toBe('capacity-down');
  });

  test('a write of only tags restarts a workload', () => {
    const declared = declare('workload/g/web', { ...web('a'), tags: { team: 'x' } });
    const change = changeOf(plan([gvc, declared], [live('gvc/g'), live('workload/g/web', web('a'))]), 'workload/g/web');
    expect(change.fields.map(({ path, risk }) => [path, risk])).toEqual([['tags.team', 'metadata']]);
    expect(change.risk).toBe('rolling-restart');
  });

  test.each<[string, DesiredResource, Risk]>(
    // biome-ignore format: a row is a case
    [
      ['of a group affects nothing', declare('group/x'), 'none'],
      ['of a GVC costs nothing itself',
        declare('gvc/x', { spec: { staticPlacement: { locationLinks: ['//location/aws-eu-central-1'] } } }), 'none'],
      ['of a GVC with its own load balancer has a cost',
        declare('gvc/x', { spec: { loadBalancer: { dedicated: true } } }), 'cost-up'],
      ['of a public workload exposes it',
        declare('workload/g/x', { spec: { ...objectAt(web('a'), 'spec'),
          firewallConfig: { external: { inboundAllowCIDR: ['0.0.0.0/0'] } } } }), 'exposure'],
      ['of a domain exposes it', declare('domain/x.com',
        { spec: { ports: [{ routes: [{ prefix: '/', workloadLink: '//gvc/g/workload/x' }] }] } }), 'exposure'],
      ['of a policy grants access',
        declare('policy/x', { targetKind: 'gvc', bindings: [binding(['view'], ['a'])] }), 'exposure'],
      ['of a policy without bindings grants nothing',
        declare('policy/x', { targetKind: 'gvc', target: 'all' }), 'none'],
      ['of a workload has a cost', declare('workload/g/x', web('a')), 'cost-up'],
      ['of a volume set has a cost', declare('volumeset/g/x', volumesetSpec()), 'cost-up'],
      ['of addresses has a cost',
        declare('ipset/x', { spec: { locations: [{ name: '//location/aws-eu-central-1' }] } }), 'cost-up'],
    ],
  )('a creation %s', (_, declared, risk) => {
    const made = plan([gvc, declared], [live('gvc/g'), foreign('location/aws-eu-central-1')]);
    expect(changeOf(made, declared.id)).toMatchObject({ action: 'create', risk });
  });

  test.each([
    [live('workload/g/x', web('a')), 'downtime'],
    [live('domain/x.com'), 'downtime'],
    [live('volumeset/g/x', volumeset(0)), 'data-loss'],
    [live('serviceaccount/x'), 'data-loss'],
    [live('ipset/x'), 'downtime'],
    [live('secret/x'), 'downtime'],
    [live('group/x'), 'endpoint-change'],
    [live('policy/x', { targetKind: 'gvc' }), 'endpoint-change'],
    [live('identity/g/x'), 'endpoint-change'],
  ] as const)('a deletion: %o', (gone, risk) => {
    expect(changeOf(plan([gvc], [live('gvc/g'), gone]), gone.id)).toMatchObject({ action: 'delete', risk });
  });

  test('of a GVC the cascade counts', () => {
    const child = foreign('volumeset/g/x', volumeset(1));
    const state = snapshot([live('gvc/g'), live('group/a')], { closures: closure('g', [child]) });
    const change = changeOf(plan([declare('group/a')], state, { allowCollateral: 1, allowDataLoss: 1 }), 'gvc/g');
    expect(change).toMatchObject({ action: 'delete', risk: 'data-loss' });
  });

  test.each(writtenKinds)('deleting a %s is riskier than a cost', (kind) => {
    expect(risks.indexOf(kindFacts(kind).risks.delete)).toBeGreaterThan(risks.indexOf('cost-up'));
  });

  test('a replacement interrupts a serving workload', () => {
    const before = live('workload/g/x', { spec: { ...objectAt(web('a'), 'spec'), type: 'serverless' } });
    const made = plan([gvc, declare('workload/g/x', web('a'))], [live('gvc/g'), before]);
    expect(changeOf(made, 'workload/g/x')).toMatchObject({ action: 'replace', risk: 'downtime' });
  });

  test('a kept resource has no risk, and a released one that of metadata', () => {
    const kept = live('group/x', {}, { applied: { retain: true } });
    const made = plan([gvc], [live('gvc/g'), kept]);
    expect(changeOf(made, 'gvc/g').risk).toBeUndefined();
    expect(changeOf(made, 'group/x')).toMatchObject({ action: 'forget', risk: 'metadata' });
  });
});

test.each<[string, FieldChange, Risk]>([
  ['one more container costs its resources', { path: 'spec.containers.side.name', new: 'side' }, 'cost-up'],
  ['one container less', { path: 'spec.containers.side.name', old: 'side' }, 'capacity-down'],
  [
    'options for a location replace all default options',
    { path: 'spec.localOptions.aws-eu-central-1.location', new: 'aws-eu-central-1' },
    'capacity-down',
  ],
])('%s', (_, field, risk) => {
  expect(riskOf('workload', field)).toBe(risk);
});

describe('limits refuse the whole plan', () => {
  const limited = (options: Partial<PlanOptions>) =>
    plan(
      [declare('gvc/g'), declare('workload/g/web', workload('b')), declare('group/new')],
      [live('gvc/g'), live('workload/g/web', workload('a')), live('domain/x.com')],
      options,
    );

  test('--max-risk names the changes that exceed it, the worst first, and the permit', () => {
    expect(limited({ maxRisk: 'metadata' }).refusals).toEqual([
      {
        code: 'plan.risk',
        message: 'the risk is greater than metadata for domain/x.com (downtime), workload/g/web (rolling-restart)',
        allow: '--max-risk=downtime',
      },
    ]);
    expect(codes(limited({ maxRisk: 'rolling-restart' }))).toEqual(['plan.risk']);
    expect(codes(limited({ maxRisk: 'exposure' }))).toEqual(['plan.risk']);
    expect(codes(limited({ maxRisk: 'downtime' }))).toEqual([]);
    expect(codes(limited({ maxRisk: 'data-loss' }))).toEqual([]);
  });

  test('--max-risk=cost-up refuses deletions', () => {
    const made = plan([declare('gvc/g')], [live('gvc/g'), live('workload/g/web', workload('a')), live('group/x')], {
      maxRisk: 'cost-up',
    });
    expect(made.refusals).toEqual([
      {
        code: 'plan.risk',
        message: 'the risk is greater than cost-up for workload/g/web (downtime), group/x (endpoint-change)',
        allow: '--max-risk=downtime',
      },
    ]);
  });

  test.each([
    { it: 'ten changes are all named', many: 10, ending: 'group/g8 (endpoint-change), group/g9 (endpoint-change)' },
    {
      it: 'ten of eleven changes are named',
      many: 11,
      ending: 'group/g7 (endpoint-change), group/g8 (endpoint-change) and 1 more',
    },
  ])('$it', ({ many, ending }) => {
    const groups = Array.from({ length: many }, (_, index) => live(`group/g${index}`));
    const made = plan([declare('gvc/g')], [live('gvc/g'), ...groups], { maxRisk: 'cost-up', maxDeletes: undefined });
    const [message = ''] = made.refusals.map((refusal) => refusal.message);
    expect(message.slice(-ending.length)).toBe(ending);
  });

  test('--max-changes counts everything that is not kept, and reports the number', () => {
    expect(limited({ maxChanges: 2 }).refusals).toEqual([
      {
        code: 'plan.too-many-changes',
        message: '3 resources would be changed; at most 2 are allowed',
        allow: '--max-changes=3',
      },
    ]);
    expect(codes(limited({ maxChanges: 3 }))).toEqual([]);
  });
});
