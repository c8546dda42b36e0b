import { expect, test } from 'vitest';
import { changeOf, declare, live, plan } from './world.ts';

test('what an earlier write set and is no longer declared is dropped by the first step, and not again by the second', () => {
  const declared = declare('gvc/g', { spec: { keda: { enabled: true, identityLink: '//identity/app' } } });
  const held = live(
    'gvc/g',
    { spec: { endpointNamingFormat: 'org' } },
    { applied: { servicePaths: ['spec.endpointNamingFormat'] } },
  );
  const change = changeOf(plan([declared, declare('identity/g/app')], [held]), 'gvc/g');
  // One leaf, where naming the field to be dropped would be two.
  expect(change.patch?.masked['$replace/spec']).toEqual({ keda: { enabled: true } });
  expect(change.then?.masked['spec']).toEqual({ keda: { identityLink: '//identity/app' } });
});
