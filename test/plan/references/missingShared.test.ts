import { describe, expect, test } from 'vitest';
import { undeclaredReferences } from '../../../src/plan/references/declaredLinks.ts';
import { changeOf, declare, live, org, plan, workload } from '../world.ts';

// As long as what is missing, so that each of them has to be compared letter by letter.
const secrets = Array.from({ length: 500 }, (_, index) => declare(`secret/registry-${index * 104_729}-credentials`));
const near = declare('secret/credentials-of-that-registry');
const dependsOn = ['secret/credentials-of-the-registry'];
const workloads = Array.from({ length: 500 }, (_, index) =>
  declare(`workload/g/web-${index}`, workload('a'), { dependsOn }),
);
const all = [declare('gvc/g'), ...secrets, near, ...workloads];

test('what was meant by a name that is missing is looked for once, however many resources have it', () => {
  const made = plan(all, [live('gvc/g')]);
  const meant = workloads.map(({ id }) => changeOf(made, id).refusals.map(({ message }) => message.split('; ').at(-1)));
  expect(meant).toEqual(workloads.map(() => [`did you mean ${near.id}?`]));
}, 20_000);

test('so it is without a platform', () => {
  const hints = undeclaredReferences(all, { org, isWhole: true }).map(({ hint }) => hint);
  expect(hints).toEqual(workloads.map(() => `Did you mean ${near.id}?`));
}, 20_000);

/** A word of its own for each number, in letters. */
const word = (number: number) =>
  [...Math.imul(number, 2_654_435_761).toString(26)]
    .map((digit) => String.fromCharCode(97 + (Number.parseInt(digit, 26) % 26)))
    .join('');

describe('of thousands of different names that are missing', () => {
  const count = 1_000;
  const names = Array.from({ length: count }, (_, index) => `registry-${word(index)}-credentials`);
  const declared = names.map((name) => declare(`secret/${name}`));
  const naming = names.map((name, index) =>
    declare(`workload/g/web-${index}`, workload('a'), {
      dependsOn: [`secret/${name.replace('credentials', 'credental')}`],
    }),
  );
  const whole = [declare('gvc/g'), ...declared, ...naming];

  test('the first ones are told what was meant, and all are refused', () => {
    const made = plan(whole, [live('gvc/g')]);
    const messages = naming.map(({ id }) =>
      changeOf(made, id)
        .refusals.map(({ message }) => message)
        .join(),
    );
    expect(messages.filter((message) => message.includes('secret/'))).toHaveLength(count);
    expect(messages.filter((message) => message.includes('did you mean'))).toHaveLength(50);
  }, 20_000);

  test('so it is without a platform', () => {
    expect(undeclaredReferences(whole, { org, isWhole: true })).toHaveLength(50);
  }, 20_000);
});
