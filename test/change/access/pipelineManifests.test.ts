import { expect, test } from 'vitest';
import { listAt, stringAt } from '../../../src/base/json/json.ts';
import type { Access } from '../../../src/change/pipelineAccess.ts';
import { pipelineManifests, pipelineName } from '../../../src/change/pipelineManifests.ts';

const viewIn = (gvc: string): Access => ({
  name: `in-${gvc}-workload`,
  kind: 'workload',
  target: {},
  plan: ['view'],
  apply: ['view'],
});

const policiesOf = (access: readonly Access[]) =>
  pipelineManifests('pipeline-shop', access).filter((manifest) => stringAt(manifest, 'kind') === 'policy');

test('policies of two GVCs with equal long name prefixes have different names of at most 64 characters', () => {
  const same = 'g'.repeat(60);
  expect(policiesOf([viewIn(`${same}1`), viewIn(`${same}2`)]).map((policy) => stringAt(policy, 'name'))).toEqual([
    `pipeline-shop-in-${'g'.repeat(47)}`,
    `pipeline-shop-in-${'g'.repeat(45)}-2`,
    'pipeline-shop-policies',
  ]);
});

test('all policies that grant views in GVCs can be viewed, 200 by one policy (platform/policy)', () => {
  const policies = policiesOf(Array.from({ length: 201 }, (_, index) => viewIn(`g${index}`)));
  const [first, second] = policies.slice(201);
  expect(policies).toHaveLength(203);
  expect([stringAt(first ?? {}, 'name'), listAt(first ?? {}, 'targetLinks').length]).toEqual([
    'pipeline-shop-policies',
    200,
  ]);
  expect(second).toMatchObject({
    name: 'pipeline-shop-policies-2',
    targetLinks: ['//policy/pipeline-shop-in-g200-workload'],
  });
});

test('accounts with equal permissions share a binding, and accounts without any have none (platform/policy.bindings)', () => {
  const target = { targetLinks: ['//gvc/g'] };
  const access = [
    { name: 'same', kind: 'gvc', target, plan: ['view', 'edit'], apply: ['edit', 'view'] },
    { name: 'more', kind: 'gvc', target, plan: ['view'], apply: ['view', 'edit'] },
    { name: 'one', kind: 'gvc', target, plan: [], apply: ['edit'] },
  ] as const;
  const [planner, applier] = ['//serviceaccount/p-plan', '//serviceaccount/p-apply'];
  const policy = (name: string, bindings: readonly unknown[]) => ({
    kind: 'policy',
    name: `p-${name}`,
    targetKind: 'gvc',
    ...target,
    bindings,
  });
  expect(pipelineManifests('p', access)).toEqual([
    { kind: 'serviceaccount', name: 'p-plan', description: 'Plans, and tells drift.' },
    { kind: 'serviceaccount', name: 'p-apply', description: 'Applies.' },
    policy('same', [{ permissions: ['edit', 'view'], principalLinks: [planner, applier] }]),
    policy('more', [
      { permissions: ['view'], principalLinks: [planner] },
      { permissions: ['edit', 'view'], principalLinks: [applier] },
    ]),
    policy('one', [{ permissions: ['edit'], principalLinks: [applier] }]),
  ]);
});

test('both accounts can view the policies for content of GVCs, and no others', () => {
  const own = { ...viewIn('x'), name: 'own-workload' };
  expect(pipelineManifests('p', [own, viewIn('g')]).at(-1)).toEqual({
    kind: 'policy',
    name: 'p-policies',
    targetKind: 'policy',
    targetLinks: ['//policy/p-in-g-workload'],
    bindings: [{ permissions: ['view'], principalLinks: ['//serviceaccount/p-plan', '//serviceaccount/p-apply'] }],
  });
});

test('a third equal prefix gets the next number, and no name ends in a hyphen', () => {
  const names = [`${'g'.repeat(46)}--1`, `${'g'.repeat(46)}--2`, `${'g'.repeat(46)}--3`];
  expect(
    policiesOf(names.map(viewIn))
      .map((policy) => stringAt(policy, 'name'))
      .slice(0, 3),
  ).toEqual([
    `pipeline-shop-in-${'g'.repeat(46)}`,
    `pipeline-shop-in-${'g'.repeat(45)}-2`,
    `pipeline-shop-in-${'g'.repeat(45)}-3`,
  ]);
});

test.each([
  ['shop.team@gvc', 'pipeline-shop-team-gvc'],
  ['Shop', 'pipeline-shop'],
  ['--shop..', 'pipeline-shop'],
  ['a'.repeat(40), `pipeline-${'a'.repeat(21)}`],
  [`${'a'.repeat(19)}---b`, `pipeline-${'a'.repeat(19)}-b`],
  [`${'a'.repeat(20)}.b`, `pipeline-${'a'.repeat(20)}`],
])('the pipeline of the stack %s is called %s', (stack, name) => {
  expect(pipelineName(stack)).toBe(name);
});
