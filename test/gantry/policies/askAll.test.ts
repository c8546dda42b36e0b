import { expect, test } from 'vitest';
import type { Rule } from '../../../src/policies/rules/rule.ts';
import type { PolicyInput } from '../../../src/policies/rules/runPolicy.ts';
import { askAll, type PolicySet } from '../../../src/policies/sandbox/judgeByPolicies.ts';
import type { LoadedPolicy, PolicyAnswers } from '../../../src/policies/sandbox/runPolicies.ts';

const input: PolicyInput = {
  resources: [{ id: 'volumeset/shop/files', kind: 'volumeset', name: 'files', gvc: 'shop', tags: { owner: 'ana' } }],
  environment: undefined,
  inputs: {},
  now: '2027-01-31T09:30:00.000Z',
};
const owner: Rule = { id: 'owner', kind: ['volumeset'], path: 'tags.owner', equals: 'bob' };
const none: PolicySet = { files: [], use: [], rules: [], imposed: [] };

/** The requests to the sandbox, and the joined answers. */
async function asked(set: Partial<PolicySet>, answers: Partial<PolicyAnswers> = {}) {
  const inSandbox: unknown[] = [];
  const joined = await askAll({ ...none, ...set }, [input], async (each) => {
    inSandbox.push(each);
    return { policies: [], findings: [[]], failures: [], loaded: [], ...answers };
  });
  const found = joined.findings.flat(2).map(({ policy }) => policy);
  return { inSandbox, found, codes: joined.failures.map(({ code }) => code), ids: joined.policies.map(({ id }) => id) };
}

test('no sandbox is opened for built-in policies and for rules without regular expressions', async () => {
  const { inSandbox, found, codes } = await asked({ use: ['data-protected'], rules: [owner] });
  expect(inSandbox).toEqual([]);
  expect(found).toEqual(['data-protected', 'owner']);
  expect(codes).toEqual([]);
});

test.each<{ it: string; rule: Partial<Rule> }>([
  { it: 'in the condition', rule: { matches: '^(a+)+$' } },
  { it: 'in a negation', rule: { not: { matches: '^(a+)+$' } } },
  { it: 'in one of several', rule: { any: [{ exists: false }, { any: [{ matches: '^(a+)+$' }] }] } },
  { it: 'in its precondition', rule: { exists: true, when: [{ path: 'name', matches: '^(a+)+$' }] } },
])('a rule with a regular expression $it runs in the sandbox, which limits its time', async ({ rule }) => {
  const slow: Rule = { id: 'slow', kind: ['volumeset'], path: 'tags.owner', ...rule };
  const { inSandbox, found } = await asked({ use: ['data-protected'], rules: [slow, owner] });
  expect(inSandbox).toEqual([{ files: [], rules: [slow], isImposed: false }]);
  expect(found).toEqual(['data-protected', 'owner']);
});

test('code runs in the sandbox, and its findings are merged in the order of ids', async () => {
  const code: LoadedPolicy = { id: 'm-code', about: '', isAboutPlans: false, file: '/p/a.ts' };
  const finding = { policy: 'm-code', severity: 'error', message: 'no' } as const;
  const { inSandbox, found, ids } = await asked(
    { files: ['/p/a.ts'], use: ['data-protected'], rules: [owner] },
    { policies: [code], findings: [[finding]] },
  );
  expect(inSandbox).toEqual([{ files: ['/p/a.ts'], rules: [], isImposed: false }]);
  expect(found).toEqual(['data-protected', 'm-code', 'owner']);
  expect(ids).toEqual(['data-protected', 'm-code', 'owner']);
});

test('code and rules cannot use the id of a built-in policy, which runs instead', async () => {
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
