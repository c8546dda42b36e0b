import { describe, expect, test } from 'vitest';
import { declare, live, plan, snapshot } from './world.ts';

const [group, gvc] = [declare('group/a', { description: 'new' }), declare('gvc/g')];
const before = [live('group/a', { description: 'old' })];

describe('when it may be applied', () => {
  const nowMs = Date.parse('2026-11-23T08:05:00Z');
  const at = 'environments.prod.limits';
  const sunday = { at, windows: [{ days: ['sun'], from: '22:00', to: '24:00', timezone: 'UTC' }] } as const;
  const closed =
    'gantry.yaml: environments.prod.limits.window: it is mon 08:05 in UTC; it is allowed sun 22:00-24:00 in UTC';

  test('is refused where it is carried out at once', () => {
    const made = plan([group], before, { limits: [sunday], moment: { nowMs, isApplied: true } });
    expect(made.refusals).toEqual([{ code: 'limit.window', message: closed }]);
    expect(made.notes).toEqual([]);
  });

  test('is noted where it is only planned', () => {
    const made = plan([group], before, { limits: [sunday], moment: { nowMs, isApplied: false } });
    expect(made.refusals).toEqual([]);
    expect(made.notes).toEqual([`at the time of planning, an apply would be refused: ${closed}`]);
  });

  test('a plan that is kept in a signed file lacks no signature, but still its approvals', () => {
    const limits = [{ at, signature: 'required', approvals: 2 }] as const;
    const notes = (isSigned: boolean) =>
      plan([group], before, { limits, moment: { nowMs, isApplied: false, isSigned } }).notes.map(
        (note) => /limits\.\w+/.exec(note)?.[0],
      );
    expect(notes(false)).toEqual(['limits.signature', 'limits.approvals']);
    expect(notes(true)).toEqual(['limits.approvals']);
  });

  test('is of no matter without a moment, without limits, and where nothing changes', () => {
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

  test('and one change among what stays is enough', () => {
    const both = [...before, live('gvc/g')];
    const made = plan([group, gvc], both, { limits: [sunday], moment: { nowMs, isApplied: true } });
    expect(made.refusals).toHaveLength(1);
  });

  test.each([
    { rehearsed: true, refused: [] },
    { rehearsed: undefined, refused: ['limit.rehearsal'] },
  ] as const)('rehearsed $rehearsed: $refused', ({ rehearsed, refused }) => {
    const made = plan([group], before, {
      limits: [{ at, rehearsal: 'required' }],
      moment: { nowMs, isApplied: true },
      ...(rehearsed && { rehearsed }),
    });
    expect(made.refusals.map(({ code }) => code)).toEqual(refused);
  });

  test('never by a signature: nothing was signed yet', () => {
    const made = plan([group], before, { limits: [{ at, approvals: 2 }], moment: { nowMs, isApplied: true } });
    expect(made.refusals.map(({ code }) => code)).toEqual(['limit.approvals']);
  });
});

test('what it does is limited without a moment too', () => {
  const limits = [{ at: 'environments.prod.limits', maxChanges: 0 }];
  expect(plan([group], before, { limits }).refusals.map(({ code }) => code)).toEqual(['limit.max-changes']);
});

describe('a stack that is destroyed', () => {
  test('and has nothing: the name may be wrong', () => {
    expect(plan([], [], { destroys: true }).notes).toEqual([
      'no resource in the org o belongs to the stack shop; if you expected one, check --stack, --org and the endpoint',
    ]);
  });

  test('says no more where it has something, nor does another plan of nothing', () => {
    expect(plan([], before, { destroys: true }).notes).toEqual([]);
    expect(plan([], []).notes).toEqual([]);
  });
});

describe('where the audit trail cannot be read', () => {
  const unread = (resources: Parameters<typeof snapshot>[0]) => snapshot(resources, { trailUnread: true });

  test('a plan that creates something says what may be missing in it', () => {
    expect(plan([group, gvc], unread(before)).notes).toEqual([
      'the audit trail cannot be read: resources that an unfinished replacement deleted are created from the ' +
        'manifests alone, without tags of other writers and without values under lifecycle.ignore',
    ]);
  });

  test('a plan that creates nothing says nothing, and none where it can be read', () => {
    expect(plan([group], unread(before)).notes).toEqual([]);
    expect(plan([group, gvc], before).notes).toEqual([]);
  });
});

test('a part of a plan: what is left out is none of its changes', () => {
  const made = plan([group, gvc], before, { targets: ['gvc/g'] });
  expect(made.changes.map(({ id, action }) => `${action} ${id}`)).toEqual(['create gvc/g']);
  expect(made.leftOut).toEqual([{ id: 'group/a', action: 'patch' }]);
});

test('what the snapshot knows of the server goes along', () => {
  const made = plan([], snapshot([], { preconditions: 'unsaid', dryRun: 'honoured' }));
  expect(made).toMatchObject({ preconditions: 'unsaid', dryRun: 'honoured' });
  const unknown = plan([], []);
  expect(unknown).not.toHaveProperty('preconditions');
  expect(unknown).not.toHaveProperty('dryRun');
});
