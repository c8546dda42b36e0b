import { describe, expect, test } from 'vitest';
import {
  type RuleFacts,
  type RuleOf,
  ruleGroup,
  type Sink,
  type Subject,
  sharedView,
} from '../../../src/schema/rules/rule.ts';
import { context, relatedOf } from './ruleCase.ts';

const subject: Subject = { kind: 'agent', record: { name: 'a' }, context };

test('a view is read once for groups that look at one record after the other', () => {
  const read: Subject[] = [];
  const view = sharedView((each: Subject) => {
    read.push(each);
    return { each };
  });
  const again = { ...subject };
  expect(view(subject)).toBe(view(again));
  expect(read).toEqual([subject]);
  for (const other of [{ kind: 'group' }, { record: { name: 'a' } }, { context: { ...context } }] as const) {
    expect(view({ ...subject, ...other }).each).toEqual({ ...subject, ...other });
    expect(view(subject).each).toBe(subject);
  }
  expect(read).toHaveLength(7);
});

describe('the rules of a group', () => {
  const facts = (id: string): RuleFacts => ({ id, section: 'a.b', title: 'T.', severity: 'error', fix: 'F.' });
  const rules: readonly RuleOf<Subject>[] = [
    {
      ...facts('both'),
      record: (_, report) => report([], 'b'),
      change: (_, after, report) => report([], String(after.record['name'])),
    },
    { ...facts('offline'), where: 'offline', record: (_, report) => report([], 'o', 'hint') },
    { ...facts('server'), where: 'server', record: (_, report) => report([], 's') },
    { ...facts('related'), related: (_, related, report) => report([], String(related.list('gvc').length)) },
  ];
  const views: Subject[] = [];
  const group = ruleGroup(
    ['agent'],
    (each) => {
      views.push(each);
      return each;
    },
    rules,
  );

  test('list what they read, without details', () => {
    expect(group.kinds).toEqual(['agent']);
    expect(group.rules).toEqual([
      { ...facts('both'), kinds: ['agent'], scopes: ['record', 'change'] },
      { ...facts('offline'), where: 'offline', kinds: ['agent'], scopes: ['record'] },
      { ...facts('server'), where: 'server', kinds: ['agent'], scopes: ['record'] },
      { ...facts('related'), kinds: ['agent'], scopes: ['related'] },
    ]);
  });

  test.each([
    ['offline', ['both', 'offline']],
    ['server', ['both', 'server']],
    [undefined, ['both']],
  ] as const)('apply to a record %s', (where, ids) => {
    const found: (readonly unknown[])[] = [];
    group.checkRecord(
      subject,
      where,
      ({ id }) =>
        (pointer, message, hint) =>
          found.push([id, pointer, message, hint]),
    );
    const said: Readonly<Record<string, readonly unknown[]>> = {
      both: [[], 'b', undefined],
      offline: [[], 'o', 'hint'],
      server: [[], 's', undefined],
    };
    expect(found).toEqual(ids.map((id) => [id, ...(said[id] ?? [])]));
  });

  test('read other records, or a change, only if they declare it', () => {
    const found: string[] = [];
    const sink: Sink =
      ({ id }) =>
      (_, message) =>
        found.push(id + message);
    group.checkRelated(subject, relatedOf([]), 'server', sink);
    group.checkChange(subject, { ...subject, record: { name: 'b' } }, 'server', sink);
    expect(found).toEqual(['related0', 'bothb']);
  });

  test('read nothing if none of them needs it', () => {
    const quiet = ruleGroup(['agent'], (each) => views.push(each), [{ ...facts('none') }]);
    views.length = 0;
    const sink: Sink = () => () => views.push(subject);
    quiet.checkRecord(subject, 'server', sink);
    quiet.checkRelated(subject, relatedOf([]), 'server', sink);
    quiet.checkChange(subject, subject, 'server', sink);
    expect(views).toEqual([]);
  });
});
