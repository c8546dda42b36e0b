import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConcurrentCheck } from '../../../src/gantry/loading/loadStack.ts';
import { parseManifestText } from '../../../src/manifest/parseManifestText.ts';
import type { Finding } from '../../../src/policies/rules/policy.ts';
import { freeze, type PolicyInput, runPolicy } from '../../../src/policies/rules/runPolicy.ts';
import { starter } from '../../../src/policies/rules/starter.ts';
import { manifestsOf } from '../../../src/policies/sandbox/judgeByPolicies.ts';
import { inProcess } from '../../e2e/harness/inProcess.ts';
import { scenarios } from '../../e2e/scenarios/all.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

const examples = new URL('../../../examples', import.meta.url).pathname;
const folder = temporaryFolder('imposed');
writeFileSync(
  join(folder, 'company.ts'),
  `import { policy } from 'gantry/policies';
export { starter } from 'gantry/policies';
export const every = policy({ id: 'every', resource: () => [{ message: 'it was asked about it' }] });
`,
);

test('the starter set answers for every scenario, and has findings in them', async () => {
  const findings: Finding[] = [];
  const manifests = scenarios.flatMap(({ steps }) => steps.flatMap((step) => step.manifests ?? []));
  for (const text of manifests) {
    const { documents } = parseManifestText({ text, file: 'stack.yaml', format: 'yaml' });
    const { resources } = await new ConcurrentCheck({ org: 'local' }).checkAll(documents);
    const input: PolicyInput = JSON.parse(JSON.stringify({ resources: manifestsOf(resources) }));
    freeze(input);
    for (const policy of starter) findings.push(...(await runPolicy(policy, input)));
  }
  expect(findings.length).toBeGreaterThan(50);
});

/** The examples that are one project, without folders of projects and those for other tools. */
const projects = readdirSync(examples).filter((name) =>
  ['stack.ts', 'gantry.yaml'].some((file) => existsSync(join(examples, name, file))),
);

test.each(projects)('policies from outside of the project apply to the example %s', async (name) => {
  const { stdout } = await inProcess(undefined, ['validate', join(examples, name), '-o', 'json'], {
    cwd: folder,
    env: {
      GANTRY_POLICIES: join(folder, 'company.ts'),
      ...(['multi-env', 'team'].includes(name) ? { GANTRY_ENV: 'prod' } : {}),
    },
  });
  const { resources, problems } = JSON.parse(stdout);
  const rules: readonly string[] = problems.map(({ rule }: { rule: string }) => rule);
  expect(rules.filter((rule) => rule.startsWith('policies.'))).toEqual([]);
  expect(rules.filter((rule) => rule === 'policy.every')).toHaveLength(resources);
  expect(resources).toBeGreaterThan(0);
});
