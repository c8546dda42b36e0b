import { expect, test } from 'vitest';
import { aboutCommand, commandLocation } from '../../../src/server/audit/decisions/auditEvent.ts';

test('the trail records a command without values that may be secret (platform/commands, platform/audit.trail)', () => {
  const containerOverrides = [{ name: 'main', env: [{ name: 'PASSWORD', value: 'hunter2' }] }];
  const about = aboutCommand('c1', 'runCronWorkload', { location: 'aws-us-east-1', containerOverrides });
  expect(about).toEqual({ id: 'c1', type: 'runCronWorkload', spec: { location: 'aws-us-east-1' } });
});

test.each([
  [{ spec: { location: 'aws-us-east-1', replica: 'web-0' } }, { location: 'aws-us-east-1', podId: 'web-0' }],
  [{ spec: { location: '//location/aws-us-east-1' } }, { location: 'aws-us-east-1' }],
  [{ spec: { location: 7 } }, {}],
  [{}, {}],
])('a command of %j is recorded for %j', (about, place) => {
  expect(commandLocation(about)).toEqual(place);
});
