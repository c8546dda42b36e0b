import { describe, expect, test } from 'vitest';
import { loadValidators } from '../../src/kinds/validators.ts';
import { checkManifests } from '../../src/manifest/checkManifests.ts';
import { renderProblem } from '../../src/manifest/model/locatedProblem.ts';
import { parseManifestText } from '../../src/manifest/parseManifestText.ts';
import { creatableKinds } from '../../src/schema/record/kinds.ts';

const validators = await loadValidators(creatableKinds);

const workload = (lifecycle: string) => `kind: workload
name: web
gvc: shop
tags: {team: a}
spec:
  type: standard
  containers:
    - name: main
      image: nginx:1
      brandNew: {a: 1}
      args: [x]
      cpu: 100m
      memory: 128Mi
      ports: [{number: 8080}]
      env: [{name: LOG, value: debug}]
    - {name: side, image: "nginx:1", cpu: 100m, memory: 128Mi}
  firewallConfig: {external: {inboundAllowCIDR: [10.0.0.0/8]}}
  extras: {affinity: {nodeAffinity: {}}}
lifecycle: ${lifecycle}`;

function problems(text: string): readonly string[] {
  const { documents } = parseManifestText({ text, file: 'a.yaml', format: 'yaml' });
  return checkManifests(documents, { org: 'local', validators })
    .problems.filter(({ severity }) => severity === 'error')
    .map(renderProblem);
}

const untyped = 'untyped: ["spec.containers.*.brandNew"]';

describe('a path of lifecycle.ignore that matches nothing is an error', () => {
  test.each(
    // biome-ignore format: a row is a case
    [
      ['a typo of a field', 'spec.contianers', 'spec has no field contianers', 'Did you mean "containers"?'],
      ['a typo in an item', 'spec.containers.main.imgae', 'spec.containers.main has no field imgae',
        'Did you mean "image"?'],
      ['a typo at the top level', 'specs.type', 'the record has no field specs', 'Did you mean "spec"?'],
      ['a typo below any item', 'spec.containers.*.imgae', 'spec.containers.* has no field imgae',
        'Did you mean "image"?'],
      ['an undeclared container', 'spec.containers.mian.image',
        'spec.containers declares no item mian, and undeclared items are removed: nothing is left to ignore',
        'Did you mean "main"?'],
      ['an undeclared variable', 'spec.containers.main.env.BUILD.value',
        'spec.containers.main.env declares no item BUILD, and undeclared items are removed: nothing is left to ignore',
        'Known here: LOG. Declare the item, or ignore the whole list.'],
      ['an item of a list of strings', 'spec.containers.main.args.0',
        'single items of spec.containers.main.args cannot be ignored: they have no key',
        'Ignore the whole list: spec.containers.main.args.'],
      ['a port that is similar to another one', 'spec.containers.main.ports.8081.protocol',
        'spec.containers.main.ports declares no item 8081, and undeclared items are removed: nothing is left to ignore',
        'Known here: 8080. Declare the item, or ignore the whole list.'],
      ['any item of a list of strings', 'spec.containers.main.args.*',
        'single items of spec.containers.main.args cannot be ignored: they have no key',
        'Ignore the whole list: spec.containers.main.args.'],
      ['an item with a key by its position', 'spec.containers.0.image',
        'an item of spec.containers is identified by its key, not by its position, which changes when another one is added',
        'Write spec.containers.main.image.'],
      ['a whole item with a key by its position', 'spec.containers.main.env.0',
        'an item of spec.containers.main.env is identified by its key, not by its position, ' +
          'which changes when another one is added', 'Write spec.containers.main.env.LOG.'],
      ['a member of a set', 'spec.firewallConfig.external.inboundAllowCIDR.0',
        'single items of spec.firewallConfig.external.inboundAllowCIDR cannot be ignored: they have no key',
        'Ignore the whole list: spec.firewallConfig.external.inboundAllowCIDR.'],
      ['a path below a value', 'spec.containers.main.image.tag',
        'spec.containers.main.image is a single value and has no tag', 'Leave out what follows it.'],
      ['a path below any value', 'spec.containers.*.image.*.x',
        'spec.containers.*.image is a single value and has no "*"', 'Leave out what follows it.'],
      ['a name with few alternatives', 'spec.firewallConfig.external.nothing',
        'spec.firewallConfig.external has no field nothing',
        'Known here: http, inboundAllowCIDR, inboundBlockedCIDR, outboundAllowCIDR, outboundAllowHostname, ' +
          'outboundAllowPort, outboundBlockedCIDR.'],
      ['a name at the top level without a similar one', 'zzzzz.x', 'the record has no field zzzzz',
        'Known here: description, name, spec, tags.'],
      ['any member of a set', 'spec.firewallConfig.external.inboundAllowCIDR.*',
        'single items of spec.firewallConfig.external.inboundAllowCIDR cannot be ignored: they have no key',
        'Ignore the whole list: spec.firewallConfig.external.inboundAllowCIDR.'],
      ['a position without a similar key', 'spec.containers.7.image',
        'spec.containers declares no item 7, and undeclared items are removed: nothing is left to ignore',
        'Known here: main, side. Declare the item, or ignore the whole list.'],
      ['a name with a digit, similar to another', 'spec.containers.main2',
        'spec.containers declares no item main2, and undeclared items are removed: nothing is left to ignore',
        'Did you mean "main"?'],
      ['a tag with a dot and without quotes', 'tags.ci.build', 'tags.ci is a single value and has no build',
        'Did you mean tags."ci.build"?'],
    ],
  )('%s', (_, path, message, hint) => {
    expect(problems(workload(`{${untyped}, ignore: ['${path}']}`))).toEqual([
      `a.yaml:19:63  manifest.path  lifecycle.ignore.0  ${message}  ${hint}`,
    ]);
  });
});

test.each([
  'spec',
  'spec.containers.main.image',
  'spec.containers.*.image',
  'spec.*.*.image',
  'spec.containers.main.ports.8080.protocol',
  'spec.containers.main.brandNew.a',
  // The platform or a pipeline sets it, so it need not be declared.
  'spec.defaultOptions.autoscaling.minScale',
  'spec.localOptions.aws-eu-central-1.suspend',
  'spec.extras.affinity.nodeAffinity.x',
  'tags.build',
  'tags."ci.build"',
  'tags.*',
  'spec.containers.main.brandNew.a.b',
  'spec.containers.main.brandNew.*.*',
  'spec.containers.*.brandNew',
  'spec.containers.side.env.*.value',
  'spec.containers.side.ports.9090.protocol',
  'spec.containers.main.ports.*.number',
  'spec.extras.*.nodeAffinity',
  'spec.firewallConfig.external.inboundAllowCIDR',
  'status',
])('%s can be ignored', (path) => {
  expect(problems(workload(`{${untyped}, ignore: ['${path}']}`))).toEqual([]);
});

test('a key that looks like a position is a key', () => {
  const named = workload(`{${untyped}, ignore: [spec.containers.01.image]}`).replace('name: side', "name: '01'");
  expect(problems(named).filter((line) => line.includes('lifecycle'))).toEqual([]);
});

test('settings of a log provider are not in the schema, and can be ignored', () => {
  const cluster = `kind: gvc
name: shop
spec: {sidecar: {proxy: {network: [{name: a, anything: 1}]}}}
lifecycle: {ignore: [spec.sidecar.proxy.network.0.anything]}`;
  expect(problems(cluster).filter((line) => line.includes('lifecycle'))).toEqual([]);
});

describe('in lists without keys', () => {
  const policy = (path: string) =>
    problems(`kind: policy
name: readers
targetKind: workload
bindings: [{permissions: [view], principalLinks: [//user/a@example.com]}]
lifecycle: {ignore: [${path}]}`).filter((line) => line.includes('lifecycle'));

  test('an item identified by content cannot be named by its position, which may change', () => {
    const [ofPosition] = policy('bindings.0.principalLinks');
    expect(policy('bindings.view.principalLinks')).toEqual([ofPosition]);
    expect(policy('bindings.0.principalLinks')).toEqual([
      'a.yaml:5:22  manifest.path  lifecycle.ignore.0  the order of bindings has no meaning, so a position names no ' +
        'item: an item is known by its content  Write bindings.*.principalLinks: an item keeps the live value where ' +
        'everything else in it is the same.',
    ]);
  });

  test('a field of any item can be ignored, as its other fields identify it', () => {
    expect(policy('bindings.*.principalLinks')).toEqual([]);
  });

  test.each(['bindings.0', 'bindings.*', 'bindings.view'])('a whole item cannot be ignored: %s', (path) => {
    expect(policy(path)).toEqual([
      'a.yaml:5:22  manifest.path  lifecycle.ignore.0  single items of bindings cannot be ignored: they have no key  ' +
        'Ignore the whole list: bindings.',
    ]);
  });

  test('routes with a regex keep their key', () => {
    const domain = (path: string) =>
      problems(`kind: domain
name: shop.example.com
spec:
  ports:
    - number: 443
      routes: [{regex: /y.*, workloadLink: //gvc/a/workload/red}, {prefix: /, workloadLink: //gvc/a/workload/blue}]
lifecycle: {ignore: ['${path}']}`).filter((line) => line.includes('lifecycle'));
    expect(domain('spec.ports.443.routes.0.workloadLink')).toEqual([
      'a.yaml:7:22  manifest.path  lifecycle.ignore.0  an item of spec.ports.443.routes is identified by its key, not by its ' +
        'position, which changes when another one is added  Write spec.ports.443.routes."/y.*".workloadLink.',
    ]);
    expect(domain('spec.ports.443.routes."/y.*".workloadLink')).toEqual([]);
  });
});

test.each([
  ['spec.env.*.value', []],
  ['spec.tracing.customTags.any.literal.value', []],
  ['spec.tracing.customTags.*.literal.value', []],
  ['spec.sidecar.proxy.accessLog.a.whatever', []],
  ['spec.tracing.customTags.a.x', ['spec.tracing.customTags.a has no field x  Known here: literal.']],
  [
    'spec.tracing.provider.controlplane.x',
    ['spec.tracing.provider.controlplane has no field x  Leave out what follows it.'],
  ],
])('paths into empty lists, maps, open and empty objects: %s', (path, says) => {
  const text = `kind: gvc
name: shop
spec: {env: [], tracing: {sampling: 1, provider: {controlplane: {}}}, sidecar: {proxy: {accessLog: [{name: a}]}}}
lifecycle: {ignore: ['${path}']}`;
  const found = problems(text).filter((line) => line.includes('lifecycle'));
  expect(found).toEqual(says.map((each) => `a.yaml:4:22  manifest.path  lifecycle.ignore.0  ${each}`));
});

test('the fields of secret data depend on its type', () => {
  const secret = (type: string, data: string, path: string) =>
    problems(`kind: secret\nname: key\ntype: ${type}\ndata: ${data}\nlifecycle: {ignore: [${path}]}`);
  expect(secret('dictionary', '{a: x}', 'data.b')).toEqual([]);
  expect(secret('opaque', '{payload: x}', 'data.paylod')).toEqual([
    'a.yaml:5:22  manifest.path  lifecycle.ignore.0  data has no field paylod  Did you mean "payload"?',
  ]);
});

describe('a path of lifecycle.untyped that exempts nothing is an error', () => {
  test.each(
    // biome-ignore format: a row is a case
    [
      ['it', 'spec.containers.main.image', 'spec.containers.main.image is in the schema',
        'Remove it from lifecycle.untyped, which is for fields that are not in the schema.'],
      ['a typo in a parent', 'spec.contianers.main.brandNew',
        'the manifest sets nothing at spec.contianers.main.brandNew', 'Did you mean "containers"?'],
      ['a typo of the field itself', 'spec.containers.main.brandNue',
        'the manifest sets nothing at spec.containers.main.brandNue', 'Did you mean "brandNew"?'],
      ['a typo below a field that is not in the schema', 'spec.containers.*.brandNew.zz',
        'the manifest sets nothing at spec.containers.*.brandNew.zz',
        'Known here: a. Set the field, or remove the path.'],
      ['a typo below any field of a free value', 'spec.extras.*.zz', 'the manifest sets nothing at spec.extras.*.zz',
        'Known here: nodeAffinity. Set the field, or remove the path.'],
      ['a typo in an item', 'spec.containers.main.ports.8080.zz',
        'the manifest sets nothing at spec.containers.main.ports.8080.zz',
        'Known here: number, protocol. Set the field, or remove the path.'],
      ['any item of a list that is not set', 'spec.containers.side.ports.*.zz',
        'the manifest sets nothing at spec.containers.side.ports.*.zz', 'Set the field, or remove the path.'],
      ['a missing container', 'spec.containers.*.other',
        'the manifest sets nothing at spec.containers.*.other',
        expect.stringContaining('Set the field, or remove the path.')],
    ],
  )('%s', (_, path, message, hint) => {
    const found = problems(workload(`{untyped: ["spec.containers.*.brandNew", "${path}"]}`));
    expect(found).toHaveLength(1);
    const [head, ...rest] = (found[0] ?? '').split('  ').slice(1);
    expect([head, ...rest]).toEqual(['manifest.path', 'lifecycle.untyped.1', message, hint]);
  });
});
