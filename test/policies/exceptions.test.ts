import { expect, test } from 'vitest';
import { fileProblem } from '../../src/manifest/model/locatedProblem.ts';
import type { Finding } from '../../src/policies/rules/policy.ts';
import { verdictOf, withExceptions } from '../../src/policies/rules/verdict.ts';

const finding: Finding = {
  policy: 'images-pinned',
  resource: 'workload/shop/web',
  message: 'no tag',
  severity: 'error',
};
const exception = {
  policy: 'images-pinned',
  resource: 'workload/shop/web',
  reason: 'the vendor has no other',
  until: '2027-01-31',
  position: { file: 'gantry.yaml', line: 7, column: 5 },
};
const exempting = {
  exceptions: [exception],
  today: '2027-01-31',
  answered: new Set(['images-pinned']),
  imposed: new Set<string>(),
  isElsewhere: () => false,
};
const passed = 'policy images-pinned is not held against workload/shop/web until 2027-01-31: the vendor has no other';
const idle = 'gantry.yaml:7:5: the exception from images-pinned for workload/shop/web is not needed: remove it';

test('an exception applies through its last day', () => {
  expect(withExceptions([finding], exempting)).toEqual({ findings: [], notes: [passed] });
});

test('an exception no longer applies on the next day, and the refusal says so', () => {
  const message = 'no tag (its exception ended on 2027-01-31: the vendor has no other)';
  expect(withExceptions([finding], { ...exempting, today: '2027-02-01' })).toEqual({
    findings: [{ ...finding, message }],
    notes: [],
  });
});

test('an exception applies to one policy and one resource', () => {
  const others = [
    { ...finding, policy: 'limits-set' },
    { ...finding, resource: 'workload/shop/api' },
  ];
  expect(withExceptions(others, exempting)).toEqual({ findings: others, notes: [idle] });
});

test('several problems of one resource are one note', () => {
  expect(withExceptions([finding, { ...finding, message: 'another' }], exempting).notes).toEqual([passed]);
});

test('an exception is idle only if its policy has judged this stack', () => {
  expect(withExceptions([], exempting).notes).toEqual([idle]);
  expect(withExceptions([], { ...exempting, answered: new Set() }).notes).toEqual([]);
  expect(withExceptions([], { ...exempting, isElsewhere: () => true }).notes).toEqual([]);
});

test('an exception does not apply to an imposed policy', () => {
  const says =
    'gantry.yaml:7:5: the exception from images-pinned for workload/shop/web does not count: this policy takes none of the project';
  expect(withExceptions([finding], { ...exempting, imposed: new Set(['images-pinned']) })).toEqual({
    findings: [finding],
    notes: [says],
  });
});

/** A policy about plans has no result before a plan. */
test.each([
  [false, []],
  [true, [idle]],
])('an exception from a policy about plans is idle only if a plan was judged: %s', (hasPlan, notes) => {
  const nothing = { findings: [], failures: [], behind: null, desired: [] };
  const policies = [{ id: 'images-pinned', isAboutPlans: true, position: exception.position }];
  expect(verdictOf({ ...nothing, ...exempting, policies, hasPlan })).toMatchObject({ problems: [], notes });
});

test('an exception from an unknown policy is an error, unless a policy failed to load, as it may be that one', () => {
  const position = { file: 'gantry.yaml', line: 1, column: 1 };
  const policies = [{ id: 'images-pinnd', isAboutPlans: false, position }];
  const judged = { findings: [], behind: null, desired: [], ...exempting, policies, hasPlan: false };
  const failure = fileProblem(position, 'policies.load', 'it does not load');
  const rules = (failures: readonly (typeof failure)[]) =>
    verdictOf({ ...judged, failures }).problems.map(({ rule }) => rule);
  expect(rules([])).toEqual(['policies.exception']);
  expect(rules([failure])).toEqual(['policies.load']);
});
