import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { accessPlans, planAccess } from '../../../scripts/accessPicture.ts';
import { planPicture } from '../../../scripts/planPicture.ts';
import { loadValidators } from '../../../src/kinds/validators.ts';
import { checkManifests, kindsOf } from '../../../src/manifest/checkManifests.ts';
import { renderProblem } from '../../../src/manifest/model/locatedProblem.ts';
import { readInputs } from '../../../src/project/inputs/readInputs.ts';
import { gantry } from '../../harness/pseudoTerminal.ts';
import { quiet } from '../../surroundings.ts';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const here = new URL('.', import.meta.url).pathname;
/** Inside the repository, so that the stack imports this package by its name. */
const folder = mkdtempSync(join(here, '.readme-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the README has the two commands for a new user', () => {
  const lines = readme.split('\n');
  expect(lines).toContain('npm ci && npx gantry apply examples/shop --embedded --yes');
  expect(lines).toContain('npm ci && npm test');
});

test('the first stack of the README has fewer than 20 lines, and is valid', async () => {
  const code = /```ts[^\n]*\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  expect(code.split('\n').length).toBeLessThan(20);

  writeFileSync(join(folder, 'stack.ts'), code);
  const { documents, problems } = await readInputs([folder], { ...quiet, cwd: here });
  const checked = checkManifests(documents, { org: 'local', validators: await loadValidators(kindsOf(documents)) });
  expect([...problems, ...checked.problems].map(renderProblem)).toEqual([]);
  expect(checked.resources.map(({ id }) => id)).toEqual(['gvc/hello', 'workload/hello/web']);
});

test('the first guide explains the name of a stack like the hint for a new user', () => {
  const guide = readFileSync(new URL('../../../docs/guides/first-stack.md', import.meta.url), 'utf8');
  expect(guide).toContain("Without it the stack has the id of `new Stack(app, 'hello')`.");
});

test.each(accessPlans)(
  'the picture of a plan with access equals the output of the command line: $title',
  async (plan) => {
    const picture = readFileSync(new URL(`../../../docs/images/access/${plan.name}.svg`, import.meta.url), 'utf8');
    const reports = readFileSync(new URL('../../../docs/reports.md', import.meta.url), 'utf8');
    expect(reports).toContain(`- ${plan.title} ([report](images/access/${plan.name}.png)`);
    expect((await planAccess(plan, gantry[1])).svg).toBe(picture);
  },
);

test('the picture of a plan equals the output of the command line', () => {
  const picture = readFileSync(new URL('../../../docs/images/plan.svg', import.meta.url), 'utf8');
  expect(planPicture()).toBe(picture);
});
