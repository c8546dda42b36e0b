import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { compileCache } from '../compileCache.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { installPackage } from './installedProject.ts';

const repository = new URL('../..', import.meta.url).pathname;
const project = temporaryFolder('libraries');
const environment = { PATH: process.env['PATH'], HOME: project, ...compileCache };

const stack = `import { App, Group, Stack } from 'gantry';
export function readers(description = 'first') {
  const app = new App();
  new Group(new Stack(app, 'people'), 'readers', { description });
  return app;
}
`;

beforeAll(async () => {
  await installPackage(project);
  symlinkSync(join(repository, 'node_modules/vitest'), join(project, 'node_modules/vitest'));
  mkdirSync(join(project, 'node_modules/@types'), { recursive: true });
  symlinkSync(join(repository, 'node_modules/@types/node'), join(project, 'node_modules/@types/node'));
  writeFileSync(join(project, 'readers.ts'), stack);
});

function run(args: readonly string[]): string {
  return execFileSync(process.execPath, args, { cwd: project, env: environment, encoding: 'utf8', stdio: 'pipe' });
}

/** The standard output; throws with all output if the run fails. */
function outputOf(args: readonly string[]): string {
  try {
    return run(args);
  } catch (error) {
    return error instanceof Error && 'stdout' in error ? `FAILED\n${String(error.stdout)}` : String(error);
  }
}

test('node:test uses the assertions, the rehearsal and the automation of the tarball', () => {
  writeFileSync(
    join(project, 'readers.test.ts'),
    `import assert from 'node:assert/strict';
import test from 'node:test';
import { Gantry } from 'gantry/automation';
import { assertHasResource, assertPlan, assertValid, rehearse } from 'gantry/testing';
import { readers } from './readers.ts';

test('readers', async () => {
  assertValid(readers());
  assertHasResource(readers(), 'group', { name: 'readers' });
  assert.throws(() => assertHasResource(readers(), 'gvc'), /expected a gvc, but there is none: there are group.readers/);
  await assertPlan(readers('second'), { patch: 1 }, { from: readers() });
  assert.equal((await rehearse(readers())).record('group/readers')?.description, 'first');
  await using gantry = await Gantry.open({ embedded: 'memory', environment: {} });
  await gantry.apply(await gantry.plan(await gantry.load(readers())));
  assert.equal((await gantry.plan(await gantry.load(readers()))).isEmpty, true);
  assert.equal((await gantry.load('people.ts')).owner, 'people');
});
`,
  );
  writeFileSync(join(project, 'people.ts'), `import { readers } from './readers.ts';\nexport default readers();\n`);
  expect(outputOf(['--test', '--test-reporter=tap', 'readers.test.ts'])).toContain('# pass 1');
});

test('vitest offers the matchers', () => {
  const text = `import 'gantry/testing/vitest';
import { snapshotOf } from 'gantry/testing';
import { expect, test } from 'vitest';
import { readers } from './readers.ts';

test('readers', async () => {
  expect(readers()).toBeValid();
  expect(readers()).toHaveResource('group', { description: expect.stringContaining('fi') });
  await expect(readers()).toPlan({ create: 1 });
  expect(snapshotOf(readers())).toMatchSnapshot();
});
`;
  writeFileSync(join(project, 'vitest.spec.ts'), text);
  expect(outputOf([join(repository, 'node_modules/vitest/vitest.mjs'), 'run', 'vitest.spec.ts'])).toMatch(/1 passed/);
  expect(readFileSync(join(project, '__snapshots__/vitest.spec.ts.snap'), 'utf8')).toContain('"kind": "group"');
});

test.each([
  { it: 'an import', imports: "import 'gantry/testing/vitest';\n", types: ['node'], errors: 0 },
  { it: '`types`', imports: '', types: ['node', 'gantry/testing/vitest'], errors: 0 },
  { it: "nothing: the runner's settings are not part of the program", imports: '', types: ['node'], errors: 1 },
])('the types of the matchers are loaded by $it', ({ imports, types, errors }) => {
  const text = `${imports}import { expect, test } from 'vitest';
import { readers } from './readers.ts';

test('readers', () => {
  expect(readers()).toHaveResource('group', { name: 'readers' });
});
`;
  const compilerOptions = { strict: true, noEmit: true, skipLibCheck: true, module: 'nodenext', types };
  const options = { ...compilerOptions, allowImportingTsExtensions: true };
  writeFileSync(join(project, 'types.spec.ts'), text);
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['types.spec.ts'] }));
  const said = outputOf([join(repository, 'node_modules/typescript/bin/tsc'), '-p', project, '--pretty', 'false']);
  expect(said.match(/error TS/g) ?? []).toHaveLength(errors);
  expect(said.includes("'toHaveResource' does not exist")).toBe(errors > 0);
});
