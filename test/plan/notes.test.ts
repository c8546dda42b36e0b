import { expect, test } from 'vitest';
import { declare, live, plan } from './world.ts';

const container = { name: 'main', image: 'app:1' };
const reads = { ...container, env: [{ name: 'KEY', value: 'scheme://secret/key.payload' }] };
const gvc = declare('gvc/shop');

function notesOf(made: ReturnType<typeof plan>, id: string): readonly string[] {
  return made.changes.find((change) => change.id === id)?.notes ?? [];
}

test('a secret that nobody has is noted where it is read, and refuses nothing (resources D 3)', () => {
  const made = plan([gvc, declare('workload/shop/web', { spec: { type: 'standard', containers: [reads] } })], []);
  expect(made.changes.map(({ action }) => action)).toEqual(['create', 'create']);
  expect(notesOf(made, 'workload/shop/web')).toEqual([
    'spec.containers.main.env.KEY.value refers to secret/key, which does not exist',
  ]);
});

test('a secret that is declared, or live, is not', () => {
  const workload = declare('workload/shop/web', { spec: { type: 'standard', containers: [reads] } });
  const secret = declare('secret/key', { type: 'opaque', data: { payload: 'x' } });
  expect(notesOf(plan([gvc, secret, workload], []), 'workload/shop/web')).toEqual([]);
  const foreign = live('secret/key', { type: 'opaque' }, { owner: 'bank' });
  expect(notesOf(plan([gvc, workload], [foreign]), 'workload/shop/web')).toEqual([]);
});

test('the legacy port is kept where the platform answers with a list of ports (resources A.7)', () => {
  const spec = { type: 'standard', containers: [{ ...container, port: 8080 }] };
  const answered = { type: 'standard', containers: [{ ...container, ports: [{ protocol: 'http', number: 8080 }] }] };
  const made = plan(
    [gvc, declare('workload/shop/web', { spec })],
    [live('gvc/shop'), live('workload/shop/web', { spec: answered })],
  );
  expect(made.changes.map(({ action }) => action)).toEqual(['keep', 'keep']);
});

test('what operators switched is reported beside another change too, and not reverted (design, section 2)', () => {
  const declared = declare('workload/shop/web', {
    spec: { type: 'standard', containers: [{ ...container, image: 'app:2' }] },
  });
  const running = live('workload/shop/web', {
    spec: { type: 'standard', containers: [container], defaultOptions: { suspend: true } },
  });
  const made = plan([gvc, declared], [live('gvc/shop'), running]);
  const change = made.changes.find(({ id }) => id === 'workload/shop/web');
  expect(change?.action).toBe('patch');
  expect(change?.patch?.expose()['spec']).toEqual({ '$patch/containers': [{ name: 'main', image: 'app:2' }] });
  expect(change?.notes).toEqual([
    'spec.defaultOptions.suspend is true: not declared, and left to operators (--revert-operational takes it back)',
  ]);
});
