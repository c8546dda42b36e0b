import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isObject } from '../../src/schema/json/json.ts';
import { runCli } from '../cli/process.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const root = new URL('../..', import.meta.url).pathname;

/** A folder in which `npm install` of `examples/cdktn` was run: 153 MB that are not installed for the tests. */
const installed = process.env['GANTRY_CDKTN'];

if (installed === undefined) {
  console.warn('skipped: CDKTN is not installed for the tests (153 MB); GANTRY_CDKTN=FOLDER names where it is');
}

test.skipIf(installed === undefined)('the shop as an app of CDKTN compiles, and is the shop', async () => {
  const folder = temporaryFolder('cdktn');
  for (const file of ['main.ts', 'tsconfig.json', 'package.json'])
    cpSync(join(root, 'examples/cdktn', file), join(folder, file));
  symlinkSync(join(installed ?? '', 'node_modules'), join(folder, 'node_modules'));
  const bindings = await runCli(['terraform', 'bindings', '--out', '.gen'], folder);
  expect(bindings.code, bindings.stderr).toBe(0);
  const run = (...args: readonly string[]) => execFileSync(process.execPath, args, { cwd: folder, stdio: 'pipe' });
  run(join(root, 'node_modules/typescript-5.9/bin/tsc'), '-p', '.');
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
