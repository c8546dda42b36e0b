import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { auditEvent, auditResult } from '../../../src/server/audit/decisions/auditEvent.ts';
import { matchesAuditQuery, readAuditQuery } from '../../../src/server/audit/decisions/auditQuery.ts';
import { readEntryCursor, writeEntryCursor } from '../../../src/server/audit/decisions/entryCursor.ts';

const nowMs = Date.parse('2026-03-31T12:00:00.000Z');

function read(text: string) {
  return readAuditQuery(new URLSearchParams(text), 'acme', nowMs);
}

describe('parameters (platform/audit.trail)', () => {
  test("default to the platform's own context, without a time window", () => {
    expect(read('')).toEqual({ ok: true, query: { context: 'scheme' } });
  });

  test('are all read, and unknown ones are ignored', () => {
    const text =
      'resourceType=gvc&contextName=own&fromEvent=1h&toEvent=2026-03-31T11:30:00Z&subjectName=ann@example.com' +
      '&location=aws-us-east-1&gvcAlias=abc&podId=p1&actionType=edit&limit=3&other=x';
    expect(read(text)).toEqual({
      ok: true,
      query: {
        context: 'own',
        resourceType: 'gvc',
        fromMs: Date.parse('2026-03-31T11:00:00Z'),
        toMs: Date.parse('2026-03-31T11:30:00Z'),
        subject: 'ann@example.com',
        actionType: 'edit',
        location: 'aws-us-east-1',
        gvcAlias: 'abc',
        podId: 'p1',
      },
    });
  });

  test('may have a short link as subject, which is resolved (platform/concepts.links)', () => {
    expect(read('subjectName=//serviceaccount/robot')).toMatchObject({
      query: { subject: '/org/acme/serviceaccount/robot' },
    });
  });

  test.each([
    ['fromEvent=yesterday', ['fromEvent']],
    ['toEvent=', ['toEvent']],
    ['fromEvent=2026-99-99', ['fromEvent']],
    ['actionType=view', ['actionType']],
    ['resourceType=', ['resourceType']],
    [`podId=${'long'.repeat(129)}`, ['podId']],
    ['location=a%00b', ['location']],
    ['contextName=&subjectName=&fromEvent=x', ['subjectName', 'contextName', 'fromEvent']],
  ])('%s: every problem is reported', (text, paths) => {
    const answer = read(text);
    expect(answer.ok ? [] : answer.problems.map(({ path }) => path)).toEqual(paths);
  });
});

const event = auditEvent({
  id: 'e1',
  requestId: 'r1',
  atMs: nowMs,
  org: 'acme',
  context: 'scheme',
  remoteIp: '127.0.0.1',
  resource: { id: 'u1', name: 'shop', type: 'gvc', data: { name: 'shop', version: 1 } },
  action: 'create',
  subject: { link: '/org/acme/user/ann@example.com', kind: 'user', name: 'ann@example.com', email: 'ann@example.com' },
  result: auditResult(201),
});

test('an event has the members of platform/audit.trail', () => {
  const at = '2026-03-31T12:00:00.000Z';
  expect(event).toEqual({
    kind: 'auditevent',
    id: 'e1',
    requestId: 'r1',
    eventTime: at,
    postedTime: at,
    receivedTime: at,
    resource: { id: 'u1', name: 'shop', type: 'gvc', data: { name: 'shop', version: 1 } },
    action: { type: 'create', data: {} },
    subject: {
      email: 'ann@example.com',
      name: 'ann@example.com',
      claims: {},
      data: { type: 'user', principalLink: '/org/acme/user/ann@example.com' },
    },
    context: { org: 'acme', name: 'scheme', remoteIp: '127.0.0.1', eventSource: 'platform', data: {} },
    result: { status: 'OK', message: '' },
    links: [{ rel: 'self', href: '/audit/org/acme/id/e1' }],
  });
});

test.each([
  [200, 'OK'],
  [202, 'OK'],
  [400, 'INVALID'],
  [401, 'UNAUTHENTICATED'],
  [403, 'DENIED'],
  [404, 'NOT_FOUND'],
  [409, 'CONFLICT'],
  [429, 'LIMITED'],
  [418, 'ERROR'],
])('a write answered with %d has the result %s', (status, word) => {
  expect(auditResult(status, 'why')).toEqual({ status: word, message: 'why' });
});

const located: JsonObject = { ...event, context: { location: 'aws-us-east-1', gvcAlias: 'abc', podId: 'p1' } };

test.each([
  ['', event, true],
  ['resourceType=gvc', event, true],
  ['resourceType=domain', event, false],
  ['actionType=create', event, true],
  ['actionType=delete', event, false],
  ['subjectName=ann@example.com', event, true],
  ['subjectName=ANN@example.com', event, true],
  ['subjectName=/org/acme/user/ann@example.com', event, true],
  ['subjectName=//user/ann@example.com', event, true],
  ['subjectName=ann', event, false],
  ['location=aws-us-east-1&gvcAlias=abc&podId=p1', located, true],
  ['location=aws-us-east-1', event, false],
  ['podId=p2', located, false],
])('the event %j matches the query or not (platform/audit.trail)', (text, candidate, matches) => {
  const answer = read(text);
  expect(answer.ok && matchesAuditQuery(candidate, answer.query)).toBe(matches);
});

test('a cursor is read as it was written, and other text is not a cursor', () => {
  expect(readEntryCursor(writeEntryCursor({ atMs: nowMs, seq: 12 }))).toEqual({ atMs: nowMs, seq: 12 });
  for (const text of ['', '1', '1.', '1.2.3', '-1.2', '1e3.4', '9999999999999999.1', 'a.b']) {
    expect(readEntryCursor(text), text).toBeUndefined();
  }
});
