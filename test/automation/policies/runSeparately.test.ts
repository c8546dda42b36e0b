import { expect, test } from 'vitest';
import { askHere } from '../../../src/automation/policies/judgeByPolicies.ts';
import type { PolicySet } from '../../../src/automation/policies/policySet.ts';
import type { LoadedPolicy } from '../../../src/automation/policies/request.ts';
import type { PolicyAnswers } from '../../../src/automation/policies/runPolicies.ts';
import { runSeparately } from '../../../src/automation/policies/runSeparately.ts';
import type { Rule } from '../../../src/policies/rules/rule.ts';
import type { PolicyInput } from '../../../src/policies/run/runPolicy.ts';

const input: PolicyInput = {
  resources: [{ id: 'volumeset/shop/files', kind: 'volumeset', name: 'files', gvc: 'shop', tags: { owner: 'ana' } }],
  environment: undefined,
};
const owner: Rule = { id: 'owner', kind: ['volumeset'], path: 'tags.owner', equals: 'bob' };
const none: PolicySet = { files: [], use: [], rules: [] };

/** What is asked in a process of its own, and what it answers. */
async function asked(set: Partial<PolicySet>, answers: Partial<PolicyAnswers> = {}) {
  const apart: PolicySet[] = [];
  const joined = await runSeparately({ ...none, ...set }, [], {
    here: (here) => askHere(here, [input]),
    apart: async (each) => {
      apart.push(each);
      return { policies: [], findings: [[]], failures: [], ...answers };
    },
  });
  const found = joined.findings.flat(2).map(({ policy }) => policy);
  return { apart, found, codes: joined.failures.map(({ code }) => code), ids: joined.policies.map(({ id }) => id) };
}

test('no process is started for policies that come along and for rules without regular expressions', async () => {
  const { apart, found, codes } = await asked({ use: ['data-protected'], rules: [owner] });
  expect(apart).toEqual([]);
  expect(found).toEqual(['data-protected', 'owner']);
  expect(codes).toEqual([]);
});

test.each<{ it: string; rule: Partial<Rule> }>([
  { it: 'in the condition', rule: { matches: '^(a+)+$' } },
  { it: 'in a negation', rule: { not: { matches: '^(a+)+$' } } },
  { it: 'in one of several', rule: { any: [{ exists: false }, { any: [{ matches: '^(a+)+$' }] }] } },
  { it: 'in what it depends on', rule: { exists: true, when: [{ path: 'name', matches: '^(a+)+$' }] } },
])('a rule with a regular expression $it runs where its time is bounded', async ({ rule }) => {
  const slow: Rule = { id: 'slow', kind: ['volumeset'], path: 'tags.owner', ...rule };
  const { apart, found } = await asked({ use: ['data-protected'], rules: [slow, owner] });
  expect(apart).toEqual([{ files: [], use: [], rules: [slow] }]);
  expect(found).toEqual(['data-protected', 'owner']);
});

test('code runs in a process of its own, and finds beside the others in the order of their ids', async () => {
  const code: LoadedPolicy = { id: 'm-code', about: '', isAboutPlans: false, file: '/p/a.ts' };
  const finding = { policy: 'm-code', severity: 'error', message: 'no' } as const;
  const { apart, found, ids } = await asked(
    { files: ['/p/a.ts'], use: ['data-protected'], rules: [owner] },
    { policies: [code], findings: [[finding]] },
  );
  expect(apart).toEqual([{ files: ['/p/a.ts'], use: [], rules: [] }]);
  expect(found).toEqual(['data-protected', 'm-code', 'owner']);
  expect(ids).toEqual(['data-protected', 'm-code', 'owner']);
});

test('no id is taken twice: of code, or of a rule, and one that comes along; that one is asked', async () => {
  const code: LoadedPolicy = { id: 'data-protected', about: '', isAboutPlans: false, file: '/p/a.ts' };
  const finding = { policy: 'data-protected', severity: 'warning', message: 'taken over' } as const;
  const ofCode = await asked(
    { files: ['/p/a.ts'], use: ['data-protected'] },
    { policies: [code], findings: [[finding]] },
  );
  expect(ofCode).toMatchObject({ codes: ['policies.twice'], found: ['data-protected'], ids: ['data-protected'] });
  const ofRule = await asked({ use: ['data-protected'], rules: [{ ...owner, id: 'data-protected' }] });
  expect(ofRule).toMatchObject({ codes: ['policies.twice'], found: ['data-protected'], ids: ['data-protected'] });
});
