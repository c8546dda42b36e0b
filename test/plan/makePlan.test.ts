import { describe, expect, test } from 'vitest';
import { declare, live, plan, snapshot } from './world.ts';

const [group, gvc] = [declare('group/a', { description: 'new' }), declare('gvc/g')];
const before = [live('group/a', { description: 'old' })];

describe('limits of an environment', () => {
  const nowMs = Date.parse('2026-11-23T08:05:00Z');
  const at = 'environments.prod.limits';
  const sunday = { at, windows: [{ days: ['sun'], from: '22:00', to: '24:00', timezone: 'UTC' }] } as const;
  const closed =
    'gantry.yaml: environments.prod.limits.window: it is mon 08:05 in UTC; it is allowed sun 22:00-24:00 in UTC';

  test('refuse a plan that is applied immediately', () => {
    const made = plan([group], before, { limits: [sunday], moment: { nowMs, isApplied: true } });
    expect(made.refusals).toEqual([{ code: 'limit.window', message: closed }]);
    expect(made.notes).toEqual([]);
  });

  test('are noted in a plan that is not applied now', () => {
    const made = plan([group], before, { limits: [sunday], moment: { nowMs, isApplied: false } });
    expect(made.refusals).toEqual([]);
    expect(made.notes).toEqual([`at the time of planning, an apply would be refused: ${closed}`]);
  });

  test('require approvals but no signature of a plan saved in a signed file', () => {
    const limits = [{ at, signature: 'required', approvals: 2 }] as const;
    const notes = (isSigned: boolean) =>
      plan([group], before, { limits, moment: { nowMs, isApplied: false, isSigned } }).notes.map(
        (note) => /limits\.\w+/.exec(note)?.[0],
      );
    expect(notes(false)).toEqual(['limits.signature', 'limits.approvals']);
    expect(notes(true)).toEqual(['limits.approvals']);
  });

  test('have no effect without a time, without limits, or without changes', () => {
    const moment = { nowMs, isApplied: true };
    const same = live('group/a', { description: 'new' });
    for (const made of [
      plan([group], before, { limits: [sunday] }),
      plan([group], before, { moment }),
      plan([group], [same], { limits: [sunday], moment }),
    ]) {
      expect(made.refusals).toEqual([]);
      expect(made.notes).toEqual([]);
    }
  });

  test('have an effect with one change among kept resources', () => {
    const both = [...before, live('gvc/g')];
    const made = plan([group, gvc], both, { limits: [sunday], moment: { nowMs, isApplied: true } });
    expect(made.refusals).toHaveLength(1);
  });

  test.each([
    { rehearsed: true, refused: [] },
    { rehearsed: undefined, refused: ['limit.rehearsal'] },
  ] as const)('with rehearsed $rehearsed refuse: $refused', ({ rehearsed, refused }) => {
    const made = plan([group], before, {
      limits: [{ at, rehearsal: 'required' }],
      moment: { nowMs, isApplied: true },
      ...(rehearsed && { rehearsed }),
    });
    expect(made.refusals.map(({ code }) => code)).toEqual(refused);
  });

  test('never require a signature of a plan that is not saved', () => {
    const made = plan([group], before, { limits: [{ at, approvals: 2 }], moment: { nowMs, isApplied: true } });
    expect(made.refusals.map(({ code }) => code)).toEqual(['limit.approvals']);
  });
});

test('the limit on changes has an effect without a time too', () => {
  const limits = [{ at: 'environments.prod.limits', maxChanges: 0 }];
  expect(plan([group], before, { limits }).refusals.map(({ code }) => code)).toEqual(['limit.max-changes']);
});

describe('a destroyed stack', () => {
  test('that owns nothing: a note says that the name may be wrong', () => {
    expect(plan([], [], { destroys: true }).notes).toEqual([
      'no resource in the org o belongs to the stack shop; if you expected one, check --stack, --org and the endpoint',
    ]);
  });

  test('that owns something has no such note, nor has another empty plan', () => {
    expect(plan([], before, { destroys: true }).notes).toEqual([]);
    expect(plan([], []).notes).toEqual([]);
  });
});

describe('an audit trail that cannot be read', () => {
  const unread = (resources: Parameters<typeof snapshot>[0]) => snapshot(resources, { trailUnread: true });

  test('a plan with a creation notes the values that may be missing', () => {
    expect(plan([group, gvc], unread(before)).notes).toEqual([
      'the audit trail cannot be read: resources that an unfinished replacement deleted are created from the ' +
        'manifests alone, without tags of other writers and without values under lifecycle.ignore',
    ]);
  });

  test('a plan without a creation has no note, nor if the trail can be read', () => {
    expect(plan([group], unread(before)).notes).toEqual([]);
    expect(plan([group, gvc], before).notes).toEqual([]);
  });
});

test('a partial plan contains only the selected changes and lists the others', () => {
  const made = plan([group, gvc], before, { targets: ['gvc/g'] });
  expect(made.changes.map(({ id, action }) => `${action} ${id}`)).toEqual(['create gvc/g']);
  expect(made.leftOut).toEqual([{ id: 'group/a', action: 'patch' }]);
});

test('facts of the snapshot about the server are part of the plan', () => {
  const made = plan([], snapshot([], { preconditions: 'unsaid', dryRun: 'honoured' }));
  expect(made).toMatchObject({ preconditions: 'unsaid', dryRun: 'honoured' });
  const unknown = plan([], []);
  expect(unknown).not.toHaveProperty('preconditions');
  expect(unknown).not.toHaveProperty('dryRun');
});
