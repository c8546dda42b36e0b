import { expect, test } from 'vitest';
import { undeclaredReferences } from '../../../src/plan/references/undeclared.ts';
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
