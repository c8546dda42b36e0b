import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Gvc, Testing } from 'gantry';
import { synth } from 'gantry/testing';
import { addReport } from './report.ts';

test('the report runs at the hour that it is given', () => {
  const stack = Testing.stack();
  addReport(new Gvc(stack, 'sample'), { image: 'registry.example.com/sample-report:1.0.0', hour: 5 });

  assert.match(JSON.stringify(synth(stack)), /"schedule":"0 5 \* \* \*"/);
});
