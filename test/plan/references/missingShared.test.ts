import { describe, expect, test } from 'vitest';
import { undeclaredReferences } from '../../../src/plan/references/declaredLinks.ts';
import { changeOf, declare, live, org, plan, workload } from '../world.ts';

// As long as the missing name, so that each must be compared letter by letter.
const secrets = Array.from({ length: 500 }, (_, index) => declare(`secret/registry-${index * 104_729}-credentials`));
const near = declare('secret/credentials-of-that-registry');
const dependsOn = ['secret/credentials-of-the-registry'];
const workloads = Array.from({ length: 500 }, (_, index) =>
  declare(`workload/g/web-${index}`, workload('a'), { dependsOn }),
);
const all = [declare('gvc/g'), ...secrets, near, ...workloads];

test('the nearest names for a missing one are searched once, however many resources refer to it', () => {
  const made = plan(all, [live('gvc/g')]);
  const meant = workloads.map(({ id }) => changeOf(made, id).refusals.map(({ message }) => message.split('; ').at(-1)));
  expect(meant).toEqual(workloads.map(() => [`did you mean ${near.id}?`]));
}, 20_000);

test('the same holds without a platform', () => {
  const hints = undeclaredReferences(all, { org, isWhole: true }).map(({ hint }) => hint);
  expect(hints).toEqual(workloads.map(() => `Did you mean ${near.id}?`));
}, 20_000);

/** A distinct word of letters for each number. */
const word = (number: number) =>
  [...Math.imul(number, 2_654_435_761).toString(26)]
    .map((digit) => String.fromCharCode(97 + (Number.parseInt(digit, 26) % 26)))
    .join('');

describe('thousands of different missing names', () => {
  const count = 1_000;
  const names = Array.from({ length: count }, (_, index) => `registry-${word(index)}-credentials`);
  const declared = names.map((name) => declare(`secret/${name}`));
  const naming = names.map((name, index) =>
    declare(`workload/g/web-${index}`, workload('a'), {
      dependsOn: [`secret/${name.replace('credentials', 'credental')}`],
    }),
  );
  const whole = [declare('gvc/g'), ...declared, ...naming];

  test('the first ones get the nearest name, and all are refused', () => {
    const made = plan(whole, [live('gvc/g')]);
    const messages = naming.map(({ id }) =>
      changeOf(made, id)
        .refusals.map(({ message }) => message)
        .join(),
    );
    expect(messages.filter((message) => message.includes('secret/'))).toHaveLength(count);
    expect(messages.filter((message) => message.includes('did you mean'))).toHaveLength(50);
  }, 20_000);

  test('the same holds without a platform', () => {
    expect(undeclaredReferences(whole, { org, isWhole: true })).toHaveLength(50);
  }, 20_000);
});
