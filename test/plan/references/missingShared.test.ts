import { describe, expect, test } from 'vitest';
import { liveReferences } from '../../../src/manifest/live/liveReference.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import { undeclaredReferences } from '../../../src/plan/references/declaredLinks.ts';
import { declared } from '../planText.ts';
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

const coded = (text: string): readonly DesiredResource[] => declared(text).map((each) => ({ ...each, existing: [] }));
const taking = (text: string) => ({ ...declare('group/a', { description: text }), reads: liveReferences(text) });
const place = 'Correct the name, or declare it. If it is on the platform already, nothing is wrong.';

// biome-ignore format: a row is a case
test.each<readonly [it: string, desired: readonly DesiredResource[], isWhole: boolean, found: readonly string[]]>([
  ['a target in a declared GVC', declared('gvc/g; workload/g/web identity(app)'), true,
    [`workload/g/web spec.identityLink @spec.identityLink: identity/g/app. ${place}`]],
  ['not if another stack may declare it', declared('gvc/g; workload/g/web identity(app)'), false, []],
  ['not in an undeclared GVC', declared('gvc/far; workload/g/web identity(app)'), true, []],
  ['not of a record that is handed over', declared('gvc/g; workload/g/web identity(app) handOver(bank)'), true, []],
  ['a GVC with nearly the name of a declared one', declared('gvc/shop; identity/shpo/app'), false,
    ['identity/shpo/app gvc @gvc: gvc/shpo. Did you mean gvc/shop?']],
  ['not in code, where a GVC is a construct', coded('gvc/shop; identity/shpo/app'), false, []],
  ['not in code for a URI, which is from a construct', coded('secret/token; workload/g/web reads(tokn)'), false, []],
  ['in code for a link that is written', coded('gvc/g; identity/g/main; workload/g/web identity(mian)'), false,
    ['workload/g/web spec.identityLink @spec.identityLink: identity/g/mian. Did you mean identity/g/main?']],
  ['in code for dependsOn', coded('secret/token; group/a dependsOn(secret/tokn)'), false,
    ['group/a lifecycle.dependsOn.0 @lifecycle.dependsOn.0: secret/tokn. Did you mean secret/token?']],
  ['a name in a manifest', declared('secret/token; policy/p targets(secret/tokn)'), false,
    ['policy/p targetLinks.0 @targetLinks.0: secret/tokn. Did you mean secret/token?']],
  ['not a name with another number', declared('secret/db-1; policy/p targets(secret/db-2)'), false, []],
  ['not the old name of a renamed one', declared('secret/token previously(tokn); policy/p targets(secret/tokn)'), false,
    []],
  ['not a target in another org', [declare('secret/token'), declare('gvc/g', { spec: {
    pullSecretLinks: ['/org/other/secret/tokn'] } })], false, []],
  ['a record of which a value is taken', [declare('gvc/shop'), taking('in ${live.gvc/shpo:alias}')], false,
    ['group/a  @description: gvc/shpo. Did you mean gvc/shop?']],
])('undeclared references: %s', (_, desired, isWhole, found) => {
  const placed = desired.map((each) => ({
    ...each,
    locate: (pointer: readonly (string | number)[]) => ({ file: pointer.join('.'), line: 1, column: 1 }),
  }));
  const problems = undeclaredReferences(placed, { org, isWhole });
  expect(
    problems.map(({ resource, path, position, message, hint }) =>
      [resource, path, `@${position?.file}:`, message.replace(' is not declared in these manifests', '.'), hint].join(' '),
    ),
  ).toEqual(found);
  expect(problems.filter(({ rule, severity }) => rule !== 'reference.undeclared' || severity !== 'warning')).toEqual([]);
});
