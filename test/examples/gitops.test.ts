import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const root = new URL('../..', import.meta.url).pathname;
const folder = temporaryFolder('gitops');
const project = join(folder, 'infrastructure');
const gantry = (args: readonly string[]) => inProcess(undefined, args, { cwd: folder, env: { GANTRY_ORG: 'local' } });

beforeEach(() => cpSync(join(root, 'examples/gitops'), folder, { recursive: true }));

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(join(project, file), 'utf8');
  expect(text.split(from)).toHaveLength(2);
  writeFileSync(join(project, file), text.replace(from, to));
}

test('the pipeline of gitops is what gantry ci init writes', async () => {
  const { code, stdout } = await gantry(['ci', 'init', 'github', '--path', 'infrastructure', '-o', 'json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    environments: ['dev', 'prod'],
    files: [{ change: 'unchanged' }, { change: 'unchanged' }],
  });
});

test('dev is created and changed; the starter set keeps it from being destroyed', async () => {
  const embedded = ['--env', 'dev', '--embedded', '--data', join(folder, 'data')];
  expect((await gantry(['apply', project, ...embedded, '--yes'])).stdout).toContain('Done: 3 created.');
  edit('gantry.yaml', '1.5.0-rc.1', '1.5.0');
  expect((await gantry(['apply', project, ...embedded, '--yes'])).stdout).toContain('Done: 1 changed.');
  expect((await gantry(['plan', project, ...embedded])).stdout).toContain('No changes');
  const refused = await gantry(['destroy', project, ...embedded, '--yes']);
  expect(refused.code).toBe(3);
  expect(refused.stdout).toContain('refused policy.data-kept');
});

test('prod is planned, and applied by nobody without the signatures', async () => {
  expect((await gantry(['plan', project, '--env', 'prod', '--embedded'])).stdout).toContain('3 to create');
  const refused = await gantry(['apply', project, '--env', 'prod', '--embedded', '--yes']);
  expect(refused.code).toBe(3);
  expect(refused.stdout + refused.stderr).toMatch(/limit\.signature/);
});

test('an image that is not pinned is refused by the starter set', async () => {
  edit('gantry.yaml', 'web:1.5.0-rc.1', 'web:latest');
  const { code, stdout, stderr } = await gantry(['validate', project, '--env', 'dev']);
  expect(code).toBe(1);
  expect(stdout + stderr).toContain('images-pinned');
});
