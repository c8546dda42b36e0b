import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { mayBeMissing, withMissingTargets } from '../../../src/change/resourceStatus.ts';
import type { ResourceStatus } from '../../../src/change/status.ts';
import { formatRef } from '../../../src/schema/record/ref.ts';
import { declare, live, org, snapshot } from '../../plan/world.ts';

const env = [{ name: 'KEY', value: 'scheme://secret/key.payload' }];
const reading: JsonObject = {
  spec: { type: 'standard', identityLink: '//identity/app', containers: [{ name: 'main', image: 'a', env }] },
};
const governing: JsonObject = { targetKind: 'secret', targetLinks: ['//secret/key'], bindings: [] };
const ready = (id: string): ResourceStatus => ({ id, state: 'ready', health: 'ready', reasons: [] });
const absent = snapshot([], { unfound: new Set(['secret/key', 'identity/g/app']) });

test('only targets that may be missing although a record refers to them are requested', () => {
  const names = mayBeMissing([declare('workload/g/web', reading), declare('policy/p', governing)], org).map(formatRef);
  expect(names).toEqual(['secret/key']);
});

test('a workload that requires a missing secret is not ready, although the platform reports ready', () => {
  expect(withMissingTargets(ready('workload/g/web'), live('workload/g/web', reading), absent)).toEqual({
    ...ready('workload/g/web'),
    state: 'not-ready',
    reasons: ['spec.containers.main.env.KEY.value refers to secret/key, which does not exist'],
  });
});

test('a record that only names it reports it, and is ready', () => {
  expect(withMissingTargets(ready('policy/p'), live('policy/p', governing), absent)).toEqual({
    ...ready('policy/p'),
    reasons: ['targetLinks.0 refers to secret/key, which does not exist'],
  });
});

test.each([
  { it: 'exists', from: snapshot([live('secret/key')], { unfound: new Set(['secret/key']) }) },
  { it: 'is hidden from this token', from: { ...absent, hidden: new Map([['secret/key', 'view']]) } },
  { it: 'was not requested', from: snapshot([]) },
])('a target that $it is not reported', ({ from }) => {
  expect(withMissingTargets(ready('workload/g/web'), live('workload/g/web', reading), from).state).toBe('ready');
});

test('a failed resource is still failed', () => {
  const failed: ResourceStatus = { ...ready('workload/g/web'), state: 'failed' };
  expect(withMissingTargets(failed, live('workload/g/web', reading), absent).state).toBe('failed');
});
