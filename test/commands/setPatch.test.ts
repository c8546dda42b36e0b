import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { missingItem } from '../../src/commands/call/missingItem.ts';
import { assignedPaths, setPatch } from '../../src/commands/call/setPatch.ts';
import { settablePaths } from '../../src/commands/settablePaths.ts';
import { shapeOf } from '../../src/kinds/shapeOf.ts';
import { type Kind, kindNamed } from '../../src/schema/record/kinds.ts';

function patch(kind: Kind, sets: readonly string[], unsets: readonly string[] = []) {
  return setPatch(shapeOf(kind), { sets, unsets });
}

/** The bodies in platform/patch.clients, with values of the schema's types instead of text. */
// biome-ignore format: a row is a case
test.each([
  { kind: 'gvc', sets: ['description=new'], body: { description: 'new' } },
  { kind: 'gvc', sets: ['tags.team=web'], body: { tags: { team: 'web' } } },
  { kind: 'gvc', sets: ['tags.a.b/c=5'], body: { tags: { 'a.b/c': '5' } } },
  { kind: 'gvc', sets: ['spec.env.A.value=b'], body: { spec: { '$patch/env': [{ name: 'A', value: 'b' }] } } },
  { kind: 'gvc', sets: ['spec.tracing.sampling=50'], body: { spec: { tracing: { sampling: 50 } } } },
  { kind: 'gvc', sets: ['spec.pullSecretLinks=//secret/a,//secret/b'],
    body: { spec: { pullSecretLinks: ['//secret/a', '//secret/b'] } } },
  { kind: 'gvc', sets: ['spec.pullSecretLinks+=//secret/a', 'spec.pullSecretLinks+=//secret/b'],
    body: { spec: { '$append/pullSecretLinks': ['//secret/a', '//secret/b'] } } },
  { kind: 'group', sets: ['memberLinks-=//user/x'], body: { '$drop/memberLinks': ['//user/x'] } },
  {
    kind: 'workload',
    sets: ['spec.containers.main.image=a:1', 'spec.containers.main.env.X=1', 'spec.containers.side.cpu=50m'],
    body: {
      spec: {
        '$patch/containers': [
          { name: 'main', image: 'a:1', '$patch/env': [{ name: 'X', value: '1' }] },
          { name: 'side', cpu: '50m' },
        ],
      },
    },
  },
  { kind: 'workload', sets: ['spec.containers.main.inheritEnv=true', 'spec.containers.main.metrics.port=9000'],
    body: { spec: { '$patch/containers': [{ name: 'main', inheritEnv: true, metrics: { port: 9000 } }] } } },
  { kind: 'workload', sets: ['spec.defaultOptions.autoscaling.minScale=2', 'spec.defaultOptions.suspend=false'],
    body: { spec: { defaultOptions: { autoscaling: { minScale: 2 }, suspend: false } } } },
  { kind: 'workload', sets: ['spec.extras={"affinity": {}}'], body: { spec: { '$replace/extras': { affinity: {} } } } },
  { kind: 'workload', sets: ['spec.extras.affinity={"nodeAffinity": {}}'],
    body: { spec: { extras: { '$replace/affinity': { nodeAffinity: {} } } } } },
  { kind: 'domain', sets: ['spec.ports.443.protocol=http'],
    body: { spec: { '$patch/ports': [{ number: 443, protocol: 'http' }] } } },
  { kind: 'volumeset', sets: ['spec.autoscaling.scalingFactor=1.5'],
    body: { spec: { autoscaling: { scalingFactor: 1.5 } } } },
  { kind: 'ipset', sets: ['spec.link=null'], body: { spec: { link: null } } },
  { kind: 'gvc', sets: ['spec.pullSecretLinks=["//secret/a"]'], body: { spec: { pullSecretLinks: ['//secret/a'] } } },
  { kind: 'gvc', sets: ['spec.pullSecretLinks='], body: { spec: { pullSecretLinks: [] } } },
  { kind: 'workload', sets: ['spec.containers={"name": "main"}'], body: { spec: { containers: [{ name: 'main' }] } } },
  { kind: 'workload', sets: ['spec.containers.main={"image": "a:1"}'],
    body: { spec: { '$patch/containers': [{ name: 'main', image: 'a:1' }] } } },
  { kind: 'gvc', sets: ['spec.tracing.customTags.team.literal.value=web'],
    body: { spec: { tracing: { customTags: { team: { literal: { value: 'web' } } } } } } },
  { kind: 'workload', sets: ['spec.extras.affinity.nodeAffinity={"a": 1}', 'spec.extras.affinity.podAffinity=null'],
    body: { spec: { extras: { affinity: { nodeAffinity: { a: 1 }, podAffinity: null } } } } },
] as const)('$kind $sets', ({ kind, sets, body }) => {
  expect(patch(kind, sets)).toEqual(body);
});

test.each([
  { kind: 'gvc', unsets: ['tags.team'], body: { tags: { team: null } } },
  { kind: 'gvc', unsets: ['spec.env.A', 'spec.env.B'], body: { spec: { '$drop/env': ['A', 'B'] } } },
  {
    kind: 'workload',
    unsets: ['spec.containers.main.env.X'],
    body: { spec: { '$patch/containers': [{ name: 'main', '$drop/env': ['X'] }] } },
  },
  { kind: 'workload', unsets: ['spec.identityLink'], body: { spec: { identityLink: null } } },
] as const)('$kind --unset $unsets', ({ kind, unsets, body }) => {
  expect(patch(kind, [], unsets)).toEqual(body);
});

/** The fields that platform/clients.settable lists. */
const settable: Readonly<Record<string, readonly string[]>> = {
  gvc: [
    'spec.pullSecretLinks[]',
    'spec.staticPlacement.locationLinks[]',
    'spec.tracing.sampling',
    'spec.tracing.tracer.endpoint',
    'spec.tracing.tracer.credentials',
    'spec.env.<name>.value',
  ],
  workload: [
    'spec.identityLink',
    ...['image', 'workingDir', 'metrics.port', 'metrics.path', 'cpu', 'memory', 'command', 'args[]', 'inheritEnv'].map(
      (field) => `spec.containers.<name>.${field}`,
    ),
    'spec.containers.<name>.env.<name>.value',
    ...['inboundAllowCIDR[]', 'outboundAllowHostname[]', 'outboundAllowCIDR[]'].map(
      (field) => `spec.firewallConfig.external.${field}`,
    ),
    'spec.firewallConfig.internal.inboundAllowType',
    'spec.firewallConfig.internal.inboundAllowWorkload[]',
    ...['metric', 'target', 'minScale', 'maxScale', 'scaleToZeroDelay', 'maxConcurrency'].map(
      (field) => `spec.defaultOptions.autoscaling.${field}`,
    ),
    ...['timeoutSeconds', 'capacityAI', 'debug', 'suspend'].map((field) => `spec.defaultOptions.${field}`),
    ...['schedule', 'concurrencyPolicy', 'historyLimit', 'restartPolicy', 'activeDeadlineSeconds'].map(
      (field) => `spec.job.${field}`,
    ),
    ...['direct.enabled', 'direct.ipSet', 'geoLocation.enabled'].map((field) => `spec.loadBalancer.${field}`),
    ...['asn', 'city', 'country', 'region'].map((field) => `spec.loadBalancer.geoLocation.headers.${field}`),
    'spec.requestRetryPolicy.attempts',
    'spec.requestRetryPolicy.retryOn[]',
  ],
  volumeset: [
    'spec.initialCapacity',
    ...['createFinalSnapshot', 'retentionDuration', 'schedule'].map((field) => `spec.snapshots.${field}`),
    ...['maxCapacity', 'minFreePercentage', 'scalingFactor'].map((field) => `spec.autoscaling.${field}`),
    ...['enabled', 'lookbackHours', 'projectionHours', 'minDataPoints', 'minGrowthRateGBPerHour', 'scalingFactor'].map(
      (field) => `spec.autoscaling.predictive.${field}`,
    ),
  ],
  ipset: ['spec.link'],
  group: ['memberLinks[]'],
  policy: ['targetLinks[]', 'target'],
};

describe.each(Object.entries(settable))('%s', (kind, paths) => {
  const found = settablePaths(shapeOf(kindNamed(kind) ?? 'gvc'), 8);
  test.each([...paths, 'description', 'tags.<key>'])('%s is listed, and accepts a value', (path) => {
    expect(found).toContain(path);
    const text = path.replace(/\[\]$/, '').replace(/<(?:name|key)>/g, 'x');
    const value = ['1', 'true', '{"a":1}'].find((each) => accepts(kind, `${text}=${each}`));
    expect(value).toBeDefined();
  });
});

test('extras and its members are set as JSON', () => {
  expect(accepts('workload', 'spec.extras.tolerations=[{"key": "a"}]')).toBe(true);
  expect(settablePaths(shapeOf('workload'), 8)).toContain('spec.extras');
});

function accepts(kind: string, set: string): boolean {
  try {
    setPatch(shapeOf(kindNamed(kind) ?? 'gvc'), { sets: [set] });
    return true;
  } catch {
    return false;
  }
}

test.each(
  // biome-ignore format: a row is a case
  [
    { kind: 'gvc', set: 'spec.trcing.sampling=1', says: 'there is no field spec.trcing',
      hint: 'Did you mean spec.tracing?' },
    { kind: 'gvc', set: 'spec.tracing.sampling=much', says: 'takes a number, not "much"',
      hint: /--set spec\.tracing\.sampling=3\./ },
    { kind: 'workload', set: 'spec.defaultOptions.debug=yes', says: 'takes true or false, not "yes"',
      hint: /debug=true\./ },
    { kind: 'gvc', set: 'id=5', says: 'id is set by the platform', hint: /^Available: .*spec/ },
    { kind: 'gvc', set: 'name=x', says: 'name is set by the platform', hint: /./ },
    { kind: 'gvc', set: 'description+=x', says: 'description is not a list', hint: /Only lists/ },
    { kind: 'gvc', set: 'description', says: '--set description has no value', hint: /PATH=VALUE/ },
    { kind: 'gvc', set: 'description.x=1', says: 'there is no field description.x', hint: /./ },
    { kind: 'workload', set: 'spec.extras=x', says: 'takes JSON', hint: /./ },
    { kind: 'workload', set: 'spec.containers.main=5', says: 'takes a JSON object', hint: /./ },
    { kind: 'workload', set: 'spec.extras.affinity.a+=1', says: 'is not a list', hint: /Only lists/ },
    { kind: 'group', set: 'memberQuery.spec.terms.tag.value=x', says: 'the items of memberQuery.spec.terms have no single key',
      hint: /--set 'memberQuery\.spec\.terms=\[…\]', or use edit/ },
  ] as const,
)('$kind $set: $says', ({ kind, set, says, hint }) => {
  expect(() => patch(kind, [set])).toThrow(
    expect.objectContaining({
      code: 'cli.usage',
      message: expect.stringContaining(says),
      hint: expect.stringMatching(hint),
    }),
  );
});

describe('a path below an item that the record lacks', () => {
  const spec = {
    containers: [
      { name: 'main', image: 'a:1', ports: [{ number: 80 }] },
      { name: 'side', image: 'a:1' },
    ],
  };
  const of = (sets: readonly string[], record: JsonObject = { spec }) => {
    const shape = shapeOf('workload');
    return missingItem(shape, setPatch(shape, { sets }), record, assignedPaths({ sets }));
  };

  // biome-ignore format: a row is a case
  test.each([
    { sets: ['spec.containers.mian.image=a:2'], says: ['spec.containers has no item "mian"', 'Did you mean main?'] },
    { sets: ['spec.containers.other.image=a:2'],
      says: ['spec.containers has no item "other"', 'Available: main, side.'] },
    { sets: ['spec.containers.main.image=a:2', 'spec.containers.main.ports.81.protocol=http'],
      says: ['spec.containers.main.ports has no item "81"', 'Did you mean 80?'] },
    { sets: ['spec.containers.main.image=a:2'], record: {}, says: ['spec.containers has no item', 'Available: none.'] },
  ])('$sets is refused', ({ sets, record, says: [message = '', hint = ''] }) => {
    const refused = of(sets, record);
    expect(refused?.message).toContain(message);
    expect(refused?.hint).toContain(hint);
    expect(refused?.hint).toMatch(/To add one, give the whole item: --set 'spec\.containers.*=\{…\}'\.$/);
  });

  test.each([
    { sets: ['spec.containers.side.image=a:2'] },
    { sets: ['spec.containers.main.env.NEW.value=1', 'spec.containers.main.env.ALSO=2'] },
    { sets: ['spec.containers.new={"image": "a:2"}', 'spec.containers.new.cpu=50m'] },
    { sets: ['tags.new=1', 'spec.defaultOptions.suspend=true'] },
  ])('$sets is accepted', ({ sets }) => expect(of(sets)).toBeUndefined());
});
