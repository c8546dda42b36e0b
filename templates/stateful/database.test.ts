import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Gvc, Testing } from 'gantry';
import { synth } from 'gantry/testing';
import { addDatabase } from './database.ts';

test('the volume may grow to ten times its size', () => {
  const stack = Testing.stack();
  addDatabase(stack, new Gvc(stack, 'sample'), { password: 'for this test', capacityGb: 30 });

  const volumes = synth(stack).find((manifest) => manifest['kind'] === 'volumeset');
  assert.match(JSON.stringify(volumes), /"initialCapacity":30,"autoscaling":\{"maxCapacity":300,/);
});
