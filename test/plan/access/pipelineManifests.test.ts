import { expect, test } from 'vitest';
import type { Access } from '../../../src/plan/access/pipelineAccess.ts';
import { pipelineManifests } from '../../../src/plan/access/pipelineManifests.ts';
import { listAt, stringAt } from '../../../src/schema/json/json.ts';

const viewIn = (gvc: string): Access => ({
  name: `in-${gvc}-workload`,
  kind: 'workload',
  target: {},
  plan: ['view'],
  apply: ['view'],
});

const policiesOf = (access: readonly Access[]) =>
  pipelineManifests('pipeline-shop', access).filter((manifest) => stringAt(manifest, 'kind') === 'policy');

test('policies of two GVCs whose long names begin alike have names of their own, of at most 64 characters', () => {
  const same = 'g'.repeat(60);
  expect(policiesOf([viewIn(`${same}1`), viewIn(`${same}2`)]).map((policy) => stringAt(policy, 'name'))).toEqual([
    `pipeline-shop-in-${'g'.repeat(47)}`,
    `pipeline-shop-in-${'g'.repeat(45)}-2`,
    'pipeline-shop-policies',
  ]);
});

test('all policies that say what may be viewed in GVCs can be viewed, 200 by one policy (platform/policy)', () => {
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
