import { Domain, Gvc, Identity, Policy, Secret, Testing, VolumeSet, Workload } from 'gantry';
import { expect, test } from 'vitest';

// The compiler must refuse each marked line (`npm run types`); at run time the test must not throw.
test('references are typed: a construct of another kind, a wrong enum or an unknown field does not compile', () => {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'shop');
  const identity = new Identity(gvc, 'api');
  const secret = new Secret(stack, 'key', { type: 'opaque', data: { payload: 'x' } });
  const volumeSet = new VolumeSet(gvc, 'data', { performanceClass: 'general-purpose-ssd', initialCapacity: 10 });
  const containers = [{ name: 'main', image: 'nginx:1' }];

  // @ts-expect-error a secret is no identity
  new Workload(gvc, 'w1', { type: 'standard', containers, identity: secret });
  // @ts-expect-error there is no such type
  new Workload(gvc, 'w2', { type: 'daemon', containers });
  // @ts-expect-error containers are required
  new Workload(gvc, 'w3', { type: 'standard' });
  // @ts-expect-error the field is called defaultOptions
  new Workload(gvc, 'w4', { type: 'standard', containers, options: {} });
  new Workload(gvc, 'w5', {
    type: 'stateful',
    // @ts-expect-error a volume is a volume set or a secret
    containers: [{ name: 'main', image: 'nginx:1', volumes: [{ uri: identity, path: '/x' }] }],
  });
  // @ts-expect-error a domain leads to workloads
  new Domain(stack, 'a.example.com', { ports: [{ routes: [{ workloadLink: identity }] }] });
  // @ts-expect-error a volume set holds no principals
  new Policy(stack, 'p1', { targetKind: 'secret', bindings: [{ permissions: ['use'], principalLinks: [volumeSet] }] });
  // @ts-expect-error the data of userpass is a user name and a password
  new Secret(stack, 's1', { type: 'userpass', data: { payload: 'x' } });
  // @ts-expect-error a volume set has a capacity
  new VolumeSet(gvc, 'v1', {});

  expect(Testing.synth(stack)).toHaveLength(13);
});
