import { describe, expect, test } from 'vitest';
import { renderRehearsal } from '../../src/cli/steps/renderRehearsal.ts';
import { type Rehearsal, rehearsalToJson } from '../../src/rehearsal/rehearsal.ts';
import { makePalette } from '../../src/terminal/palette.ts';

const show = (rehearsal: Rehearsal) => renderRehearsal(rehearsal, makePalette(false));
const consistent: Rehearsal = {
  requests: 12,
  points: { tried: 24, of: 24 },
  stoodInFor: [],
  proposed: [],
  unreadReferrers: [],
};
const request = { number: 3, method: 'POST', path: '/org/o/gvc/g/workload' };

describe('a consistent rehearsal', () => {
  test('shows how many points were tried, and never says that it is safe', () => {
    expect(show(consistent)).toBe('Rehearsal: consistent in rehearsal: 12 requests, 24 of 24 interruption points.');
    expect(show(consistent)).not.toContain('safe');
  });

  test('explains how to try the points if none was tried, but not if there are none', () => {
    expect(show({ ...consistent, points: { tried: 0, of: 24 } })).toBe(
      'Rehearsal: consistent in rehearsal: 12 requests, 0 of 24 interruption points; --rehearse=crash tries them.',
    );
    const nothing = { ...consistent, requests: 0, points: { tried: 0, of: 0 }, stoodInFor: ['user/ann@example.com'] };
    expect(show(nothing)).toBe('Rehearsal: nothing to send; a new plan is empty too.');
  });

  test('shows the sample, the simulated records, and the list keys that are not documented', () => {
    const rehearsal: Rehearsal = {
      requests: 1020,
      points: { tried: 500, of: 2040, seed: 'gantry' },
      stoodInFor: ['secret/db (its values)', 'user/ann@example.com'],
      proposed: ['the list key of spec.bindings (policy/p)'],
      unreadReferrers: ['secret/pull'],
    };
    expect(show(rehearsal)).toBe(
      `Rehearsal: consistent in rehearsal: 1020 requests, 500 of 2040 interruption points; a sample, seed gantry.
  Not read from the platform; simulated in the rehearsal: secret/db (its values), user/ann@example.com
  Relies on list keys that the platform does not document (if it uses other keys, the apply stops with apply.divergence): the list key of spec.bindings (policy/p)
  Deleted only if nothing else refers to it; not all possible referrers were read: secret/pull`,
    );
    expect(rehearsalToJson(rehearsal)).toEqual({
      consistent: true,
      requests: 1020,
      points: { tried: 500, of: 2040, seed: 'gantry' },
      stoodInFor: ['secret/db (its values)', 'user/ann@example.com'],
      proposed: ['the list key of spec.bindings (policy/p)'],
      unreadReferrers: ['secret/pull'],
    });
  });
});

describe('an inconsistent rehearsal', () => {
  test('names the request of the undisturbed run', () => {
    const problem = { what: 'apply', request, differences: ['workload/g/w: it is refused'] } as const;
    expect(
      show({ ...consistent, points: { tried: 0, of: 24 }, problem }),
    ).toBe(`Rehearsal: not consistent; the plan is refused.
  The run failed at request 3 (POST /org/o/gvc/g/workload):
    workload/g/w: it is refused`);
  });

  test('names the interruption point and the differences', () => {
    const problem = {
      what: 'state',
      point: { request, when: 'after' },
      differences: ['workload/g/w is missing'],
    } as const;
    const rehearsal = { ...consistent, points: { tried: 5, of: 24 }, problem };
    expect(show(rehearsal)).toBe(`Rehearsal: not consistent; the plan is refused.
  Interrupted after request 3 (POST /org/o/gvc/g/workload) of 12, its answer lost (5 of 24 points converged before it), planning and applying again ends in a different state:
    workload/g/w is missing`);
    expect(rehearsalToJson(rehearsal)['problem']).toEqual({
      what: 'state',
      point: { number: 3, method: 'POST', path: '/org/o/gvc/g/workload', when: 'after' },
      differences: ['workload/g/w is missing'],
    });
  });

  test('says that a further plan is not empty, with the first ten of many differences', () => {
    const differences = Array.from({ length: 12 }, (_, index) => `difference ${String(index).padStart(2, '0')}`);
    const text = show({ ...consistent, problem: { what: 'plan', differences } });
    expect(text.split('\n').slice(1, 3)).toEqual(['  After the run, a new plan is not empty:', '    difference 00']);
    expect(text.split('\n').slice(-2)).toEqual(['    difference 09', '    and 2 more']);
  });

  test('names the first ten of many simulated records', () => {
    const stoodInFor = Array.from({ length: 12 }, (_, index) => `image/${String(index).padStart(2, '0')}`);
    const [, line] = show({ ...consistent, stoodInFor }).split('\n');
    expect(line).toMatch(
      /^ {2}Not read from the platform; simulated in the rehearsal: image\/00, .*image\/09 and 2 more$/,
    );
  });

  test('escapes control characters in differences', () => {
    const text = show({ ...consistent, problem: { what: 'plan', differences: ['\u001b[2Jgone'] } });
    expect(text).toContain('\\u001b[2Jgone');
  });
});
