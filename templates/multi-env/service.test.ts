import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Testing } from 'gantry';
import { synth } from 'gantry/testing';
import { addService } from './service.ts';

test('an environment runs its own version in its own GVC', () => {
  const stack = Testing.stack();
  addService(stack, 'dev', { version: '3.0.0', locations: ['aws-eu-central-1'], maxScale: 1 });

  const [gvc, workload] = synth(stack);
  assert.equal(gvc?.['name'], 'sample-dev');
  assert.match(JSON.stringify(workload), /"image":"registry\.example\.com\/sample:3\.0\.0"/);
});
