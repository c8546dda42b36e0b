import { expect, test } from 'vitest';
import { changeOf, declare, live, plan } from '../world.ts';

const workload = (model: string | { readonly [key: string]: string | number }) => ({
  spec: {
    type: 'standard',
    containers: [{ name: 'main', image: 'x', cpu: '2', memory: '7Gi', gpu: { nvidia: { model, quantity: 1 } } }],
  },
});

test.each([
  ['another object', { name: 'a10g' }, { name: 't4', size: 1 }],
  ['a name instead of an object', 'a10g', { name: 't4' }],
  ['an object instead of a name', { name: 'a10g' }, 't4'],
])('a GPU model is replaced as a whole: %s (platform/workload.containers)', (_, wanted, held) => {
  const change = changeOf(
    plan([declare('workload/g/web', workload(wanted))], [live('workload/g/web', workload(held)), live('gvc/g')]),
    'workload/g/web',
  );
  expect(change.patch?.masked['spec']).toEqual(
    typeof wanted === 'string'
      ? { '$patch/containers': [{ name: 'main', gpu: { nvidia: { model: 'a10g' } } }] }
      : expect.objectContaining({ '$patch/containers': expect.anything() }),
  );
  expect(JSON.stringify(change.patch?.masked)).not.toContain('size');
});

test('equal GPU models are no change', () => {
  const [name, object] = ['t4', { name: 't4', size: 1 }];
  for (const model of [name, object]) {
    const made = plan(
      [declare('workload/g/web', workload(model))],
      [live('workload/g/web', workload(model)), live('gvc/g')],
    );
    expect(changeOf(made, 'workload/g/web').action).toBe('keep');
  }
});
