import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Gvc, Testing } from 'gantry';
import { synth } from 'gantry/testing';
import { addService } from './service.ts';

test('the service runs the image that it is given', () => {
  const stack = Testing.stack();
  const web = addService(new Gvc(stack, 'sample'), { image: 'registry.example.com/sample:2.0.0' });

  const [gvc, workload] = synth(stack);
  assert.equal(gvc?.['kind'], 'gvc');
  assert.equal(workload?.['name'], web.name);
  assert.match(JSON.stringify(workload), /"image":"registry\.example\.com\/sample:2\.0\.0"/);
});
