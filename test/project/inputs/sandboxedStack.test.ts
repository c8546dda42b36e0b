import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const main = new URL('../../../dist/cli.js', import.meta.url).pathname;
const execute = promisify(execFile);
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-sandboxed-'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const manifests = `export default [{ kind: 'gvc', name: 'one' }];`;

// biome-ignore format: a row is a case
test.each([
  { it: 'exits', code: `process.exit(0);`, says: 'the stack ended the process (process.exit(0))' },
  { it: 'exits and catches what that throws', code: `try { process.exit(0); } catch {}\n${manifests}`,
    says: 'the stack ended the process (process.exit(0))' },
  { it: 'waits for ever', code: `await new Promise(() => {});\n${manifests}`,
    says: 'Error: the stack awaits a promise that never settles' },
  { it: 'leaves a rejection to itself', code: `Promise.reject(new Error('late'));\n${manifests}`, says: 'Error: late' },
])('a stack that $it is one problem, and exit code 1', async ({ it, code, says }) => {
  const file = `${it.replaceAll(' ', '-')}.ts`;
  writeFileSync(join(folder, file), code);
  const ended: unknown = await execute(process.execPath, [main, 'validate', file], { cwd: folder }).catch(
    (error: unknown) => error,
  );
  expect(ended).toMatchObject({ code: 1 });
  const { stdout, stderr } = Object(ended);
  expect(`${stdout}${stderr}`).toContain(`${file}:1:`);
  expect(`${stdout}${stderr}`).toContain(`stack.throws  -  ${says}`);
  expect(`${stdout}${stderr}`).not.toMatch(/\n {4}at /);
});
