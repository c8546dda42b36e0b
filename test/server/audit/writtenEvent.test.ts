import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { type Writer, writtenEvent } from '../../../src/server/audit/decisions/auditEvent.ts';

const nowMs = Date.parse('2026-03-31T12:00:00.000Z');
const robot = '/org/acme/serviceaccount/robot';
const writer: Writer = {
  id: 'e1',
  requestId: 'r1',
  nowMs,
  org: 'acme',
  context: 'own',
  remoteIp: '10.0.0.1',
  caller: { link: robot, kind: 'serviceaccount', name: 'robot' },
};
const least = { resource: { id: 'order-1', type: 'order' } };

test('the smallest event has the caller as its subject and the current time (platform/audit.trail)', () => {
  const at = '2026-03-31T12:00:00.000Z';
  expect(writtenEvent(least, writer)).toEqual({
    ok: true,
    atMs: nowMs,
    event: {
      kind: 'auditevent',
      id: 'e1',
      requestId: 'r1',
      eventTime: at,
      postedTime: at,
      receivedTime: at,
      resource: { id: 'order-1', name: '', type: 'order', data: {} },
      action: { type: 'exec', data: {} },
      subject: { name: 'robot', claims: {}, data: { type: 'serviceaccount', principalLink: robot } },
      context: { org: 'acme', name: 'own', remoteIp: '10.0.0.1', eventSource: robot, data: {} },
      result: { status: 'OK', message: '' },
      links: [{ rel: 'self', href: '/audit/org/acme/id/e1' }],
    },
  });
});

test('the members that the client states are stored, except the context, the source and the id', () => {
  const sent: JsonObject = {
    ...least,
    id: 'mine',
    eventTime: '2026-03-30T00:00:00Z',
    action: { type: 'delete', data: { why: 'x' } },
    subject: { email: 'ann@example.com', name: 'Ann' },
    context: { org: 'other', name: 'scheme', eventSource: 'platform', remoteIp: '1.1.1.1', location: 'aws-us-east-1' },
    result: { status: 'DENIED', message: 'no' },
  };
  const answer = writtenEvent(sent, writer);
  expect(answer.ok && answer.event).toMatchObject({
    id: 'e1',
    eventTime: '2026-03-30T00:00:00.000Z',
    receivedTime: '2026-03-31T12:00:00.000Z',
    action: { type: 'delete', data: { why: 'x' } },
    subject: { email: 'ann@example.com', name: 'Ann' },
    context: { org: 'acme', name: 'own', eventSource: robot, remoteIp: '10.0.0.1', location: 'aws-us-east-1' },
    result: { status: 'DENIED', message: 'no' },
  });
});

const refused: readonly { readonly it: string; readonly body: JsonObject; readonly paths: readonly string[] }[] = [
  { it: 'nothing', body: {}, paths: ['resource.id', 'resource.type'] },
  { it: 'no type', body: { resource: { id: 'x' } }, paths: ['resource.type'] },
  { it: 'an empty id', body: { resource: { id: '', type: 'x' } }, paths: ['resource.id'] },
  { it: 'a NUL', body: { resource: { id: 'a\0', type: 'x' } }, paths: ['resource.id'] },
  { it: 'an id that is a number', body: { resource: { id: 1, type: 'x' } }, paths: ['resource.id'] },
  { it: 'a resource that is text', body: { resource: 'x' }, paths: ['resource', 'resource.id', 'resource.type'] },
  { it: 'an unknown member', body: { ...least, who: 'me' }, paths: ['who'] },
  { it: 'an unknown member below', body: { ...least, result: { code: 1 } }, paths: ['result.code'] },
  { it: 'an unknown action', body: { ...least, action: { type: 'view' } }, paths: ['action.type'] },
  { it: 'a text that is not a time', body: { ...least, eventTime: 'soon' }, paths: ['eventTime'] },
  { it: 'a relative time', body: { ...least, eventTime: '7d' }, paths: ['eventTime'] },
  { it: 'a time before 1970', body: { ...least, eventTime: '1969-12-31T00:00:00Z' }, paths: ['eventTime'] },
  { it: 'null', body: { ...least, subject: null }, paths: ['subject'] },
  {
    it: 'a name on Object.prototype',
    body: JSON.parse('{"__proto__":1}'),
    paths: ['__proto__', 'resource.id', 'resource.type'],
  },
];

test.each(refused)('an event with $it is refused (platform/audit.trail)', ({ body, paths }) => {
  const answer = writtenEvent(body, writer);
  expect(answer.ok ? [] : answer.problems.map(({ path }) => path)).toEqual(paths);
});
