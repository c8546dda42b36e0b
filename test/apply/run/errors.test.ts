import { describe, expect, test } from 'vitest';
import { CreationRefusedError, NotReadyError, TimeoutError } from '../../../src/apply/applyErrors.ts';
import { delayMs } from '../../../src/apply/run.ts';
import type { Plan } from '../../../src/plan/model/plan.ts';
import { refusedPlan } from '../../../src/plan/model/refusal.ts';
import { change, creating, plan } from '../harness/plans.ts';

describe('a plan is not carried out', () => {
  const held = { code: 'delete.bystander', message: 'gvc/shop holds others', allow: '--allow-collateral=1' };
  const many = { code: 'plan.max-deletes', message: 'it deletes 11 resources' };
  const refusing = (...refusals: (typeof many)[]) => change('gvc/shop', { action: 'refuse', reason: 'why', refusals });

  interface Case {
    readonly it: string;
    readonly plan: Plan;
    readonly says: string;
    readonly hint: string;
  }
  const usual = 'Resolve the refusals that the plan names, then plan again.';
  test.each<Case>(
    // biome-ignore format: a row is a case
    [
      { it: 'a change is refused and a permit exists', plan: plan(refusing(held)), says: 'gvc/shop holds others',
        hint: 'To permit it: --allow-collateral=1' },
      { it: 'a change is refused without a permit', plan: plan(refusing(many)), says: many.message, hint: usual },
      { it: 'the whole plan is refused', plan: { ...plan(creating('gvc/shop')), refusals: [many] }, says: many.message,
        hint: usual },
      { it: 'the plan and two changes are refused: the plan first, the others counted',
        plan: { ...plan(refusing(held), refusing(held)), refusals: [many] }, says: `${many.message} (and 2 more)`,
        hint: usual },
      { it: 'a change is refused without a reason', plan: plan(refusing()), says: 'why', hint: usual },
    ],
  )('if $it', ({ plan: given, says, hint }) => {
    expect(refusedPlan(given)).toMatchObject({
      code: 'plan.refused',
      message: `the plan is refused, and nothing was written: ${says}`,
      hint,
    });
  });

  test('and each refusal is a cause with its resource', () => {
    expect(refusedPlan({ ...plan(refusing(held)), refusals: [many] })?.causes).toEqual([
      { code: many.code, message: many.message, hint: undefined, resource: undefined },
      { code: held.code, message: held.message, hint: 'To permit it: --allow-collateral=1', resource: 'gvc/shop' },
    ]);
  });

  test('unless nothing is refused', () => {
    expect(refusedPlan(plan(creating('gvc/shop')))).toBeUndefined();
  });
});

describe('a creation that would be refused', () => {
  const problems = (count: number) => Array.from({ length: count }, (_, index) => ({ path: '', message: `p${index}` }));

  test.each([
    { count: 20, more: [] },
    { count: 21, more: ['… and 1 more'] },
    { count: 25, more: ['… and 5 more'] },
  ])('names at most 20 of $count problems, and counts the others', ({ count, more }) => {
    const error = new CreationRefusedError('gvc/a', 'gvc/a', problems(count));
    const lines = error.message.split(': ').at(-1)?.split('\n  ');
    const named = problems(20).map(({ message }) => message);
    expect(lines).toEqual([...named, ...more]);
    expect(error.causes).toHaveLength(20);
  });

  test('names the field of a problem', () => {
    const error = new CreationRefusedError('gvc/a', 'gvc/a', [
      { path: 'spec.x', message: 'is too long' },
      { path: '', message: 'is not allowed' },
    ]);
    expect(error.message).toMatch(/create it again: spec\.x: is too long\n {2}is not allowed$/);
  });
});

test('the error of a timeout gives the seconds', () => {
  expect(new TimeoutError('gvc/a', 'gone', 90_400).message).toBe('gvc/a was not gone after 90 s');
  expect(new NotReadyError('workload/a/b', 90_400, 'why')).toMatchObject({
    code: 'apply.not-ready',
    message: 'workload/a/b was not ready after 90 s: why',
  });
});

test.each([
  { it: 'start with 50 ms', round: 0, cap: 2_000, random: 1, ms: 50 },
  { it: 'double', round: 3, cap: 2_000, random: 1, ms: 400 },
  { it: 'stop growing at their bound', round: 6, cap: 2_000, random: 1, ms: 2_000 },
  { it: 'are up to a quarter shorter', round: 3, cap: 2_000, random: 0, ms: 300 },
  { it: 'are an eighth shorter with the middle random value', round: 3, cap: 2_000, random: 0.5, ms: 350 },
  { it: 'are whole milliseconds', round: 0, cap: 2_000, random: 0.5, ms: 44 },
  { it: 'have their bound after any number of rounds', round: 5_000, cap: 2_000, random: 1, ms: 2_000 },
])('pauses $it', ({ round, cap, random, ms }) => {
  expect(delayMs(round, cap, random)).toBe(ms);
});
