import { expect, test } from 'vitest';
import { eventRecord, fingerprintOf, repeatedEvent } from '../../../src/server/audit/decisions/eventRecord.ts';

const atMs = Date.parse('2026-03-31T12:00:00.000Z');
const event = eventRecord({
  id: 'e1',
  atMs,
  component: 'scheduler',
  status: 'run started',
  message: 'because of its schedule',
  location: 'aws-us-east-1',
  principalLink: '/org/acme/serviceaccount/platform',
  itemPath: '/org/acme/gvc/g/workload/w',
});

test('an event has the members of platform/audit.event-log', () => {
  expect(event).toEqual({
    kind: 'event',
    id: 'e1',
    created: '2026-03-31T12:00:00.000Z',
    lastEventTime: '2026-03-31T12:00:00.000Z',
    eventCount: 1,
    status: 'run started',
    pinned: false,
    context: {
      category: 'lifecycle',
      component: 'scheduler',
      cloudProvider: 'aws',
      cluster: 'aws-us-east-1',
      principalLink: '/org/acme/serviceaccount/platform',
      fingerprint: 'scheduler:run started:aws-us-east-1:because of its schedule',
      message: 'because of its schedule',
      location: 'aws-us-east-1',
    },
    links: [{ rel: 'self', href: '/org/acme/gvc/g/workload/w/-eventlog/e1' }],
  });
});

test('the fingerprint is the given one, else it is made of component, status, location and message', () => {
  const facts = { component: 'actuator', status: 'ready' } as const;
  expect(fingerprintOf({ ...facts, fingerprint: 'own' })).toBe('own');
  expect(fingerprintOf(facts)).toBe(fingerprintOf({ ...facts }));
  expect(fingerprintOf(facts)).not.toBe(fingerprintOf({ ...facts, message: 'at last' }));
});

test('a repeated event is counted, and its last time never moves backwards (platform/audit.event-log)', () => {
  const twice = repeatedEvent(event, atMs + 60_000);
  expect(twice).toEqual({ ...event, eventCount: 2, lastEventTime: '2026-03-31T12:01:00.000Z' });
  expect(repeatedEvent(twice, atMs)).toMatchObject({ eventCount: 3, lastEventTime: '2026-03-31T12:01:00.000Z' });
});
