import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Gvc, Secret, Testing } from 'gantry';
import { synth } from 'gantry/testing';
import { PublicApi, type PublicApiProps } from './publicApi.ts';

function apiWith(props: Partial<PublicApiProps> = {}) {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'shop', { locations: ['aws-eu-central-1'] });
  const key = new Secret(stack, 'key', { type: 'opaque', data: { payload: 'x' } });
  new PublicApi(gvc, 'orders', { image: 'orders:1', host: 'orders.example.com', secrets: { KEY: key }, ...props });
  return stack;
}

test('it brings an identity that may read its secrets, and a domain', () => {
  const kinds = synth(apiWith()).map(({ kind, name }) => `${kind} ${name}`);
  assert.deepEqual(kinds.toSorted(), [
    'domain orders.example.com',
    'gvc shop',
    'identity orders-identity',
    'policy grants--secret--key',
    'secret key',
    'workload orders',
  ]);
});

test('fewer than two replicas are refused', () => {
  assert.throws(() => synth(apiWith({ replicas: { min: 1, max: 1 } })), /fewer than two replicas/);
});
