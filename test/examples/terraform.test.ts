import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { developmentConfiguration } from '../../src/hcl/configuration/cliConfiguration.ts';
import { makeProject, reasonToSkip } from '../provider/harness/terraform.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const root = new URL('../..', import.meta.url).pathname;
const skipped = reasonToSkip();
if (skipped !== undefined) console.warn(`skipped: ${skipped}`);

/** The provider as it is installed, with the platform in its process. */
test.skipIf(skipped !== undefined)('the shop in Terraform passes its own test', async () => {
  const folder = join(temporaryFolder('example'), 'shop');
  const example = makeProject(folder, { TEST_RC: developmentConfiguration(join(root, 'dist/terraform-provider')) });
  for (const file of ['main.tf', 'shop.tftest.hcl']) cpSync(join(root, 'examples/terraform', file), join(folder, file));
  expect((await example.run('fmt', '-check', '-diff')).text).toBe('');
  const { code, text } = await example.run('test', '-no-color');
  expect(code, text).toBe(0);
  expect(text).toContain('Success! 3 passed, 0 failed.');
});
