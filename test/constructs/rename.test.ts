import { Gvc, Identity, Testing, VolumeSet, Workload } from 'gantry';
import { expect, test } from 'vitest';

test('lifecycle.previously overrides renamedFrom, its short form', () => {
  const stack = Testing.stack();
  new Gvc(stack, 'shop', { renamedFrom: 'store', lifecycle: { previously: 'market' } });
  expect(Testing.synth(stack)).toEqual([{ kind: 'gvc', name: 'shop', lifecycle: { previously: 'market' }, spec: {} }]);
});

test('renamedFrom is lifecycle.previously, and no field of the record', () => {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'shop', { renamedFrom: 'store' });
  new Identity(gvc, 'api', { renamedFrom: 'backend' });
  new VolumeSet(gvc, 'rows', {
    performanceClass: 'general-purpose-ssd',
    initialCapacity: 10,
    renamedFrom: 'data',
    lifecycle: { replace: true },
  });
  const containers = [{ name: 'main', image: 'nginx:1' }] as const;
  new Workload(gvc, 'web', { type: 'standard', containers, renamedFrom: 'site' });
  expect(Testing.synth(stack)).toEqual([
    { kind: 'gvc', name: 'shop', lifecycle: { previously: 'store' }, spec: {} },
    { kind: 'identity', name: 'api', gvc: 'shop', lifecycle: { previously: 'backend' } },
    {
      kind: 'volumeset',
      name: 'rows',
      gvc: 'shop',
      lifecycle: { previously: 'data', replace: true },
      spec: { performanceClass: 'general-purpose-ssd', initialCapacity: 10 },
    },
    {
      kind: 'workload',
      name: 'web',
      gvc: 'shop',
      lifecycle: { previously: 'site' },
      spec: { type: 'standard', containers },
    },
  ]);
});
