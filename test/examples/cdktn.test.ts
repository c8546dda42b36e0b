import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isObject } from '../../src/base/json/json.ts';
import { runCli } from '../cli/process.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const root = new URL('../..', import.meta.url).pathname;

/** Folders in which what README.md of the example says was installed: 150 MB each, which are not installed for the tests. */
const tools = [
  { tool: 'cdktn', variable: 'GANTRY_CDKTN' },
  { tool: 'cdktf', variable: 'GANTRY_CDKTF' },
].map((each) => ({ ...each, installed: process.env[each.variable] }));

for (const { tool, variable, installed } of tools) {
  if (installed === undefined) {
    console.warn(`skipped: ${tool} is not installed for the tests (150 MB); ${variable}=FOLDER names where it is`);
  }
}

/** What projects of these tools, and careful ones, ask of their code. */
const strict = ['--noUnusedLocals', '--noUnusedParameters', '--noImplicitReturns', '--noFallthroughCasesInSwitch'];

describe.each(tools)('$tool', ({ tool, installed }) => {
  test.skipIf(installed === undefined)('the shop as an app compiles, and is the shop', async () => {
    const folder = temporaryFolder(tool);
    for (const file of ['tsconfig.json', 'package.json'])
      cpSync(join(root, 'examples/cdktn', file), join(folder, file));
    const source = readFileSync(join(root, 'examples/cdktn/main.ts'), 'utf8');
    writeFileSync(join(folder, 'main.ts'), source.replace("from 'cdktn'", `from '${tool}'`));
    symlinkSync(join(installed ?? '', 'node_modules'), join(folder, 'node_modules'));
    const bindings = await runCli(['terraform', 'bindings', '--out', '.gen', '--for', tool], folder);
    expect(bindings.code, bindings.stderr).toBe(0);
    const run = (...args: readonly string[]) => execFileSync(process.execPath, args, { cwd: folder, stdio: 'pipe' });
    run(join(root, 'node_modules/typescript-5.9/bin/tsc'), '-p', '.', ...strict);
    run('out/main.js');
    const made: unknown = JSON.parse(readFileSync(join(folder, 'cdktf.out/stacks/shop/cdk.tf.json'), 'utf8'));
    const resources = isObject(made) && isObject(made['resource']) ? Object.entries(made['resource']) : [];
    expect(Object.fromEntries(resources.map(([type, all]) => [type, Object.keys(Object(all)).length]))).toEqual({
      gantry_domain: 1,
      gantry_gvc: 1,
      gantry_identity: 1,
      gantry_policy: 1,
      gantry_secret: 2,
      gantry_volumeset: 2,
      gantry_workload: 4,
    });
  });
});
