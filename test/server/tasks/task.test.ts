import { describe, expect, test } from 'vitest';
import { answerIn, emailsIn, invitation, isEmail, isSameInvitation } from '../../../src/server/tasks/decisions/task.ts';

test.each([
  ['a@b.c', true],
  ['First.Last+tag@sub.example.com', true],
  ['a@localhost', true],
  ['a', false],
  ['@b.c', false],
  ['a@', false],
  ['a@b@c', false],
  ['a b@c.d', false],
  ['a/b@c.d', false],
  ['a@c/d', false],
  [`${'a'.repeat(255)}@b.c`, false],
])('%j is an e-mail address: %s', (text, expected) => {
  expect(isEmail(text)).toBe(expected);
});

describe('the addresses of an invitation (platform/wire.paths)', () => {
  test('are unique and in lower case', () => {
    expect(emailsIn({ emails: ['A@b.c', 'a@B.c', 'd@e.f'] })).toEqual(['a@b.c', 'd@e.f']);
  });

  test.each([
    {},
    { emails: [] },
    { emails: 'a@b.c' },
    { emails: ['a@b.c', 5] },
    { emails: ['nobody'] },
    { emails: Array.from({ length: 201 }, (_, index) => `a${index}@b.c`) },
  ])('%#: are refused with a reason', (body) => {
    expect(emailsIn(body)).toMatch(/^emails: /);
  });
});

test.each([
  [{ answer: 'accept' }, 'accept'],
  [{ answer: 'reject' }, 'reject'],
  [{ answer: 'maybe' }, undefined],
  [{}, undefined],
  [{ answer: ['accept'] }, undefined],
])('%j contains the answer %s (platform/task.answers)', (body, answer) => {
  expect(answerIn(body)).toBe(answer);
});

test('invitations are equal if address and group are equal', () => {
  const by = { org: 'acme', creatorLink: '/org/acme/user/x@y.z' };
  const one = invitation('a@b.c', { ...by, groupLink: '/org/acme/group/viewers' });
  const recordOf = (fields: typeof one) => ({ ...fields });
  expect(isSameInvitation(recordOf(one), one)).toBe(true);
  expect(isSameInvitation(recordOf(invitation('d@e.f', by)), one)).toBe(false);
  expect(isSameInvitation(recordOf(invitation('a@b.c', by)), one)).toBe(false);
  expect(isSameInvitation({ ...one, type: 'other' }, one)).toBe(false);
});
