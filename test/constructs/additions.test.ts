import {
  Aspects,
  Database,
  Domain,
  Group,
  Gvc,
  Identity,
  IpSet,
  Location,
  Policy,
  Secret,
  ServiceAccount,
  sensitive,
  Testing,
  VolumeSet,
  Workload,
} from 'gantry';
import { synth } from 'gantry/testing';
import { expect, test } from 'vitest';
import { line } from './harness.ts';

const here = new URL(import.meta.url).pathname;

function shop() {
  const stack = Testing.stack();
  return { stack, gvc: new Gvc(stack, 'shop', { locations: ['aws-us-west-2'], env: { REGION: 'west' } }) };
}

function api(gvc: Gvc) {
  const main = { name: 'main', image: 'api:1', env: { LOG: 'info' }, ports: [{ number: 8080 }] } as const;
  return new Workload(gvc, 'api', { type: 'standard', containers: [main] });
}

test('a container, and additions to it and to the first one (platform/workload.containers)', () => {
  const { stack, gvc } = shop();
  const login = new Secret(stack, 'login', {
    type: 'userpass',
    data: { username: 'a', password: sensitive('b-c-d-e') },
  });
  const files = new VolumeSet(gvc, 'files', { fileSystemType: 'shared', initialCapacity: 10 });
  const workload = api(gvc);
  const proxy = workload.addContainer({ name: 'proxy', image: 'proxy:1', env: { MODE: 'tcp' } });
  proxy.addEnvironment('PASSWORD', login.key('password')).addVolume(files.mount('/files')).addPort({ number: 9000 });
  workload.addEnvironment('RETRIES', 3).addEnvironment('VERBOSE', true, { container: 'proxy' });
  workload.addVolume({ uri: 'scratch://tmp', path: '/tmp/work' });
  expect(proxy.name).toBe('proxy');
  expect(workload.internalUrl(9000)).toMatch(/^http:\/\/api\.shop\..*:9000$/);
  expect(synth(stack).find(({ kind }) => kind === 'workload')).toMatchObject({
    spec: {
      containers: [
        {
          name: 'main',
          env: [
            { name: 'LOG', value: 'info' },
            { name: 'RETRIES', value: '3' },
          ],
          ports: [{ number: 8080 }],
          volumes: [{ uri: 'scratch://tmp', path: '/tmp/work' }],
        },
        {
          name: 'proxy',
          env: [
            { name: 'MODE', value: 'tcp' },
            { name: 'PASSWORD', value: 'scheme://secret/login.password' },
            { name: 'VERBOSE', value: 'true' },
          ],
          ports: [{ number: 9000 }],
          volumes: [{ uri: 'scheme://volumeset/files', path: '/files' }],
        },
      ],
    },
  });
});

test('the lists of other kinds', () => {
  const { stack, gvc } = shop();
  const workload = api(gvc);
  const robot = new ServiceAccount(stack, 'robot');
  const registry = new Secret(stack, 'registry', { type: 'docker', data: '{"auths":{}}' });
  const here = new Location(stack, 'here');
  gvc.addLocation('gcp-europe-west4').addLocation(here).addEnvironment('STAGE', 'test').addPullSecret(registry);
  const team = new Group(stack, 'team').addMember(robot).addMember('//user/a@example.com');
  new Policy(stack, 'read', { targetKind: 'secret' })
    .addTarget(registry)
    .addBinding({ permissions: ['view'], principalLinks: [team] });
  const domain = new Domain(stack, 'shop.example.com', { ports: [{ number: 443, tls: {} }] });
  domain.addRoute({ prefix: '/api', workloadLink: workload });
  domain.addPort({ number: 8443 }).addRoute({ prefix: '/', workloadLink: workload });
  domain.addRoute({ regex: '^/v[0-9]', workloadLink: workload }, { on: 80 });
  new IpSet(stack, 'fixed').addLocation({ name: '//location/aws-us-west-2' });
  const network = { agentLink: '//agent/office', FQDN: 'db.office', ports: [5432] } as const;
  new Identity(gvc, 'reader').addNetworkResource({ name: 'db', ...network });

  const made = new Map(Testing.synth(stack).map((manifest) => [manifest['kind'], manifest]));
  expect(made.get('gvc')).toMatchObject({
    spec: {
      staticPlacement: {
        locationLinks: ['//location/aws-us-west-2', '//location/gcp-europe-west4', '//location/here'],
      },
      env: [
        { name: 'REGION', value: 'west' },
        { name: 'STAGE', value: 'test' },
      ],
      pullSecretLinks: ['//secret/registry'],
    },
  });
  expect(made.get('group')).toMatchObject({ memberLinks: ['//serviceaccount/robot', '//user/a@example.com'] });
  expect(made.get('policy')).toMatchObject({
    targetLinks: ['//secret/registry'],
    bindings: [{ permissions: ['view'], principalLinks: ['//group/team'] }],
  });
  const workloadLink = '//gvc/shop/workload/api';
  expect(made.get('domain')).toMatchObject({
    spec: {
      ports: [
        { number: 443, tls: {}, routes: [{ prefix: '/api', workloadLink }] },
        { number: 8443, routes: [{ prefix: '/', workloadLink }] },
        { number: 80, routes: [{ regex: '^/v[0-9]', workloadLink }] },
      ],
    },
  });
  expect(made.get('ipset')).toMatchObject({ spec: { locations: [{ name: '//location/aws-us-west-2' }] } });
  expect(made.get('identity')).toMatchObject({ networkResources: [{ name: 'db', ...network }] });
});

test('the props of the constructor are not changed', () => {
  const { gvc } = shop();
  const containers = [{ name: 'main', image: 'api:1', env: [{ name: 'A', value: 'a' }] }] as const;
  const workload = new Workload(gvc, 'api', { type: 'standard', containers });
  workload.addEnvironment('B', 'b');
  expect(containers[0].env).toEqual([{ name: 'A', value: 'a' }]);
});

test('services accept additions too, also by an aspect', () => {
  const { stack, gvc } = shop();
  const database = new Database(gvc, 'orders', { password: 'pw-12345678', storage: { capacity: 10 } });
  database.addEnvironment('TZ', 'UTC');
  Aspects.of(stack).add({
    visit: (construct) => {
      if (construct instanceof Workload) construct.addEnvironment('TEAM', 'shop');
    },
  });
  const [workload] = synth(stack).filter(({ kind }) => kind === 'workload');
  expect(workload).toHaveProperty('spec.containers.0.env', expect.arrayContaining([{ name: 'TZ', value: 'UTC' }]));
  expect(workload).toHaveProperty('spec.containers.0.env', expect.arrayContaining([{ name: 'TEAM', value: 'shop' }]));
});

interface Case {
  readonly it: string;
  /** Existing items: from the constructor, or added. */
  readonly add: (made: ReturnType<typeof shop>) => () => unknown;
  readonly message: string;
}

// biome-ignore format: a row is a case
const duplicates: readonly Case[] = [
  { it: 'a variable of the props', add: ({ gvc }, workload = api(gvc)) => () => workload.addEnvironment('LOG', 'debug'),
    message: 'the workload "api" has "LOG" in spec.containers.main.env already (' },
  { it: 'a container',
    add: ({ gvc }, workload = api(gvc)) => () => workload.addContainer({ name: 'main', image: 'x:1' }),
    message: 'the workload "api" has "main" in spec.containers already (' },
  { it: 'a member, in the other form of its link', add: ({ stack }, team = new Group(stack, 'team',
    { memberLinks: [new ServiceAccount(stack, 'robot')] })) => () => team.addMember('/org/acme/serviceaccount/robot'),
    message: 'the group "team" has "/org/acme/serviceaccount/robot" in memberLinks already (' },
  { it: 'a location, by its name', add: ({ gvc }) => () => gvc.addLocation('aws-us-west-2'),
    message: 'the gvc "shop" has "//location/aws-us-west-2" in spec.staticPlacement.locationLinks already (' },
];

test.each(duplicates)('$it that already exists is an error at the call', ({ add, message }) => {
  const again = add(shop());
  expect(again).toThrow(
    expect.objectContaining({ code: 'stack.duplicate', message: expect.stringContaining(message) }),
  );
});

test('a duplicate names the line of the first one, even if that was added', () => {
  const { gvc } = shop();
  const workload = api(gvc);
  workload.addEnvironment('A', '1');
  const first = line() - 1;
  expect(() => workload.addEnvironment('A', '2')).toThrow(`"A" in spec.containers.main.env already (${here}:${first})`);
});

test('a problem of an added item is reported at the line that adds it', () => {
  const { stack, gvc } = shop();
  const workload = api(gvc);
  workload.addContainer({ name: 'side', image: 'side:1' }).addEnvironment('1X', 'a');
  const added = line() - 1;
  expect(() => synth(stack)).toThrow(
    expect.objectContaining({
      problems: [expect.objectContaining({ position: expect.objectContaining({ file: here, line: added }) })],
    }),
  );
});

test('a missing container', () => {
  const workload = api(shop().gvc);
  expect(() => workload.addEnvironment('A', 'b', { container: 'sidecar' })).toThrow(
    expect.objectContaining({
      code: 'stack.item',
      message: 'the workload "api" has no "sidecar" in spec.containers',
      hint: 'There: "main". What is not there yet is added first.',
    }),
  );
});
