import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Gvc, Testing } from 'gantry';
import { synth } from 'gantry/testing';
import { addService } from './service.ts';

test('an environment runs its own version', () => {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'sample-dev');
  addService(gvc, 'dev', { version: '3.0.0', locations: ['aws-eu-central-1'], maxScale: 1 });

  const [, workload] = synth(stack);
  assert.match(JSON.stringify(workload), /"name":"ENVIRONMENT","value":"dev"/);
  assert.match(JSON.stringify(workload), /"image":"registry\.example\.com\/sample:3\.0\.0"/);
});
