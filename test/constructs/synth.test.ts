import { Construct } from 'constructs';
import {
  Agent,
  App,
  AuditContext,
  CloudAccount,
  Domain,
  Group,
  Gvc,
  Identity,
  IpSet,
  Location,
  Policy,
  Secret,
  ServiceAccount,
  Stack,
  Testing,
  VolumeSet,
  Workload,
} from 'gantry';
import { expect, test } from 'vitest';
import { loadValidators } from '../../src/kinds/validators.ts';
import { checkManifests } from '../../src/manifest/checkManifests.ts';

const container = { name: 'main', image: 'nginx:1' } as const;

test('each kind has a class that makes its manifest; names default to the construct id', () => {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'shop', { locations: ['aws-us-west-2'], env: [{ name: 'A', value: 'b' }] });
  const identity = new Identity(gvc, 'api');
  const volumeSet = new VolumeSet(gvc, 'data', { fileSystemType: 'shared', initialCapacity: 10 });
  new Workload(gvc, 'web', { type: 'standard', identity, containers: [container] });
  new Domain(stack, 'shop.example.com', { gvcLink: gvc });
  new IpSet(stack, 'fixed', { link: gvc, locations: [{ name: '//location/aws-us-west-2' }] });
  new Group(stack, 'team', { memberLinks: ['//user/a@example.com'] });
  const account = new ServiceAccount(stack, 'robot', { description: 'CI' });
  new AuditContext(stack, 'audit');
  const secret = new Secret(stack, 'key', { type: 'opaque', data: { payload: 'x' } });
  new Policy(stack, 'readers', {
    targetKind: 'secret',
    targetLinks: [secret],
    bindings: [{ permissions: ['reveal'], principalLinks: [identity, account] }],
  });
  new Location(stack, 'cellar', { provider: 'byok' });
  new Agent(stack, 'gate');
  new CloudAccount(stack, 'aws', { provider: 'aws', data: { roleArn: 'arn:aws:iam::1:role/x' } });

  expect(volumeSet.id).toBe('volumeset/shop/data');
  expect(Testing.synth(stack)).toEqual([
    {
      kind: 'gvc',
      name: 'shop',
      spec: { staticPlacement: { locationLinks: ['//location/aws-us-west-2'] }, env: [{ name: 'A', value: 'b' }] },
    },
    { kind: 'identity', name: 'api', gvc: 'shop' },
    { kind: 'volumeset', name: 'data', gvc: 'shop', spec: { fileSystemType: 'shared', initialCapacity: 10 } },
    {
      kind: 'workload',
      name: 'web',
      gvc: 'shop',
      spec: { type: 'standard', identityLink: '//gvc/shop/identity/api', containers: [container] },
    },
    { kind: 'domain', name: 'shop.example.com', spec: { gvcLink: '//gvc/shop' } },
    { kind: 'ipset', name: 'fixed', spec: { link: '//gvc/shop', locations: [{ name: '//location/aws-us-west-2' }] } },
    { kind: 'group', name: 'team', memberLinks: ['//user/a@example.com'] },
    { kind: 'serviceaccount', name: 'robot', description: 'CI' },
    { kind: 'auditctx', name: 'audit' },
    { kind: 'secret', name: 'key', type: 'opaque', data: { payload: 'x' } },
    {
      kind: 'policy',
      name: 'readers',
      targetKind: 'secret',
      targetLinks: ['//secret/key'],
      bindings: [{ permissions: ['reveal'], principalLinks: ['//gvc/shop/identity/api', '//serviceaccount/robot'] }],
    },
    { kind: 'location', name: 'cellar', provider: 'byok' },
    { kind: 'agent', name: 'gate' },
    { kind: 'cloudaccount', name: 'aws', provider: 'aws', data: { roleArn: 'arn:aws:iam::1:role/x' } },
  ]);
});

test('names, descriptions, tags and lifecycle are given beside the fields of the kind', () => {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'a', {
    name: 'shop',
    description: 'A shop',
    tags: { team: 'x', size: 3 },
    lifecycle: { protect: true },
  });
  expect(gvc.link).toBe('//gvc/shop');
  expect(Testing.synth(stack)).toEqual([
    {
      kind: 'gvc',
      name: 'shop',
      description: 'A shop',
      tags: { team: 'x', size: 3 },
      lifecycle: { protect: true },
      spec: {},
    },
  ]);
});

test('volumes accept constructs, environment variables accept keys of secrets', () => {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'g-1');
  const data = new VolumeSet(gvc, 'data', { performanceClass: 'general-purpose-ssd', initialCapacity: 10 });
  const secret = new Secret(stack, 'db', { type: 'userpass', data: { username: 'a', password: 'b' } });
  const workload = new Workload(gvc, 'db-1', {
    type: 'stateful',
    containers: [
      {
        ...container,
        env: [{ name: 'P', value: secret.uri('password') }],
        volumes: [
          { uri: data, path: '/data' },
          { uri: secret, path: '/secret' },
          { uri: 's3://bucket', path: '/s3' },
        ],
      },
    ],
  });
  expect(Testing.synth(workload)).toMatchObject([
    {
      spec: {
        containers: [
          {
            env: [{ value: 'scheme://secret/db.password' }],
            volumes: [{ uri: 'scheme://volumeset/data' }, { uri: 'scheme://secret/db' }, { uri: 's3://bucket' }],
          },
        ],
      },
    },
  ]);
});

test('the GVC is the enclosing one, a given one, or open for --gvc', () => {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'inner');
  const group = new Construct(gvc, 'group');
  expect(new Identity(group, 'nested').id).toBe('identity/inner/nested');
  expect(new Identity(stack, 'outer', { gvc: 'elsewhere' }).link).toBe('//gvc/elsewhere/identity/outer');
  expect(new Identity(group, 'given', { gvc: new Gvc(stack, 'other-id', { name: 'other' }) }).id).toBe(
    'identity/other/given',
  );
  expect(new Identity(stack, 'open', { gvc: { fromSettings: true } }).link).toBe('//identity/open');
  expect(Testing.synth(stack)).toContainEqual({ kind: 'identity', name: 'open' });
});

test('dependencies of the tree and of lifecycle become ids; a group represents its content', () => {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'shop');
  const first = new Construct(gvc, 'first');
  new Identity(first, 'a');
  new Identity(first, 'b');
  const second = new Construct(gvc, 'second');
  const late = new Identity(second, 'late', {
    lifecycle: { wait: true, waitTimeout: '90s', dependsOn: ['secret/x', gvc] },
  });
  second.node.addDependency(first);
  late.node.addDependency(gvc);
  expect(Testing.synth(late)).toMatchObject([
    { lifecycle: { wait: true, waitTimeout: '90s', dependsOn: ['gvc/shop', 'secret/x'] } },
  ]);
  expect(Testing.synth(stack)).toContainEqual({
    kind: 'identity',
    name: 'late',
    gvc: 'shop',
    lifecycle: {
      wait: true,
      waitTimeout: '90s',
      dependsOn: ['gvc/shop', 'identity/shop/a', 'identity/shop/b', 'secret/x'],
    },
  });
});

test('each resource has the line of user code that made it, through loops and functions', () => {
  const app = new App();
  const stack = new Stack(app, 's');
  const make = (id: string) => new Gvc(stack, id);
  for (const id of ['a-1', 'b-1']) make(id);
  const places = app.synth().map(({ locate }) => locate([]));
  expect(places.map(({ file }) => file.endsWith('test/constructs/synth.test.ts'))).toEqual([true, true]);
  expect(places.every(({ line, column }) => line > 1 && column > 1)).toBe(true);
});

test("a resource of a user's class has the line that calls the class", () => {
  class Twice extends Gvc {}
  const stack = Testing.stack();
  const gvc = new Twice(stack, 'g-2');
  expect(gvc.origin.position().file).toMatch(/synth\.test\.ts$/);
});

test('undefined is omitted, also in lists', () => {
  const stack = Testing.stack();
  new Gvc(stack, 'g-3', { description: undefined, env: undefined, loadBalancer: { dedicated: undefined } });
  expect(Testing.synth(stack)).toEqual([{ kind: 'gvc', name: 'g-3', spec: { loadBalancer: {} } }]);
});

test('names of Object.prototype are data', () => {
  const stack = Testing.stack();
  new Gvc(stack, 'g-4', { tags: JSON.parse('{"__proto__": "a", "constructor": "b"}') });
  const [manifest] = Testing.synth(stack);
  expect(Object.keys(Object(manifest).tags)).toEqual(['__proto__', 'constructor']);
});

test('a problem of a construct has the line that made it', async () => {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'shop', { tags: { $drop: 'a' } });
  const validators = await loadValidators(['gvc']);
  const { problems } = checkManifests(stack.synth(), { org: 'local', validators });
  expect(problems).toMatchObject([
    { rule: 'manifest.directive-key', path: 'tags.$drop', resource: 'gvc/shop', position: gvc.origin.position() },
  ]);
});

// biome-ignore format: a row is a case
test.each([
  { it: 'unchanged', props: { staticPlacement: { locationLinks: ['//location/gcp-us-east1'] } } as const,
    links: ['//location/gcp-us-east1'] },
  { it: 'before those given by name',
    props: { staticPlacement: { locationLinks: ['//location/gcp-us-east1'] }, locations: ['aws-us-west-2'] } as const,
    links: ['//location/gcp-us-east1', '//location/aws-us-west-2'] },
])('the location links of a GVC are $it (platform/gvc)', ({ props, links }) => {
  const app = new App();
  new Gvc(new Stack(app, 'stack'), 'shop', props);

  expect(app.synth().map(({ value }) => value)).toEqual([
    { kind: 'gvc', name: 'shop', spec: { staticPlacement: { locationLinks: links } } },
  ]);
});
